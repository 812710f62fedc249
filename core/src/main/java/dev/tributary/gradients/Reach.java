package dev.tributary.gradients;

import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the parts on a path from some outputs to others along which a gradient can flow. */
final class Reach {
  private final Territory territory;
  private final Set<Output> stops;
  private final Set<Part> parts = new LinkedHashSet<>();

  /**
   * @param stops outputs behind which nothing is differentiated
   */
  Reach(Territory territory, Collection<Output> ys, Collection<Output> xs, Set<Output> stops) {
    this.territory = territory;
    this.stops = stops;
    Map<Output, List<Part>> consumers = consumersBehind(ys);
    List<Output> open = new ArrayList<>(xs);
    while (!open.isEmpty()) {
      for (Part consumer : consumers.getOrDefault(open.remove(open.size() - 1), List.of())) {
        if (parts.add(consumer)) {
          open.addAll(consumer.outputs());
        }
      }
    }
  }

  /** The parts through which {@code ys} depend on {@code xs}. */
  Set<Part> parts() {
    return parts;
  }

  /** The part to which the gradient of a value is passed on, if any. */
  Optional<Part> source(Output value) {
    if (!carriesGradient(value) || stops.contains(value)) {
      return Optional.empty();
    }
    return territory.producerOf(value).filter(parts::contains);
  }

  private Map<Output, List<Part>> consumersBehind(Collection<Output> ys) {
    Map<Output, List<Part>> consumers = new HashMap<>();
    Set<Part> seen = new LinkedHashSet<>();
    List<Output> open = new ArrayList<>(ys);
    while (!open.isEmpty()) {
      Output value = open.remove(open.size() - 1);
      Optional<Part> producer =
          stops.contains(value) ? Optional.empty() : territory.producerOf(value);
      if (producer.isPresent() && seen.add(producer.get())) {
        for (Output input : producer.get().inputs()) {
          if (carriesGradient(input)) {
            consumers.computeIfAbsent(input, key -> new ArrayList<>()).add(producer.get());
            open.add(input);
          }
        }
      }
    }
    return consumers;
  }

  static boolean carriesGradient(Output output) {
    return output.type().isFloating()
        || output.type().isComplex()
        || output.type() == DataType.RESOURCE
        || output.type() == DataType.VARIANT;
  }
}
