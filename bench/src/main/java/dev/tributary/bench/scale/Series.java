package dev.tributary.bench.scale;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/** The points of one growth, from the smallest size on. Immutable. */
record Series(Growth growth, List<Point> points) {
  Series {
    points =
        points.stream()
            .filter(point -> point.growth() == growth)
            .sorted(Comparator.comparingInt(Point::size))
            .toList();
  }

  boolean isEmpty() {
    return points.isEmpty();
  }

  /**
   * The value of a point, or a value derived from it and the smallest: how much each of those that
   * were added takes of a total.
   */
  OptionalDouble value(Point point, Quantity quantity) {
    if (quantity.total().isEmpty()) {
      return point.value(quantity);
    }
    Point least = points.get(0);
    OptionalDouble from = least.value(quantity.total().get());
    OptionalDouble to = point.value(quantity.total().get());
    int added = point.size() - least.size();
    return added == 0 || from.isEmpty() || to.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of((to.getAsDouble() - from.getAsDouble()) / added);
  }
}
