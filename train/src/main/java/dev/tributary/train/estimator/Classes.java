package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import java.util.HashSet;
import java.util.List;

/**
 * The classes of a classifier. Labels are their numbers, or their names if they have some.
 * Immutable.
 *
 * @param count the number of classes, 2 or more
 * @param names the names in order; empty if labels are numbers
 */
public record Classes(int count, List<String> names) {
  public Classes {
    names = List.copyOf(names);
    if (count < 2) {
      throw TributaryException.invalidArgument(
          "a classifier needs 2 classes or more, got %d", count);
    }
    if (!names.isEmpty() && (names.size() != count || new HashSet<>(names).size() < count)) {
      throw TributaryException.invalidArgument(
          "%d classes need as many different names, got %s", count, names);
    }
  }

  /** Returns classes whose labels are numbers from 0 to {@code count} - 1. */
  public static Classes classes(int count) {
    return new Classes(count, List.of());
  }

  /** Returns classes whose labels are these strings. */
  public static Classes classes(String... names) {
    return new Classes(names.length, List.of(names));
  }
}
