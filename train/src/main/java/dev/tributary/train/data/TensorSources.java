package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.random.OpSeeds;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;

/** Sources whose elements are values of the program. */
final class TensorSources {
  private TensorSources() {}

  static Dataset.Source<Output> whole(Object value) {
    Given given = Given.of(value);
    return building -> {
      Output output = given.in(building.tf());
      return building.finish(
          building.op("TensorDataset").inputList(List.of(output)),
          "Toutput_types",
          ElementSpec.tensor(output.type(), output.shape()));
    };
  }

  static Dataset.Source<Output> slices(Object value) {
    Given given = Given.of(value);
    return building -> slices(building, List.of(given), specs -> specs.get(0));
  }

  static Dataset.Source<Pair<Output, Output>> slices(Object first, Object second) {
    List<Given> both = List.of(Given.of(first), Given.of(second));
    return building ->
        slices(building, both, specs -> ElementSpec.pair(specs.get(0), specs.get(1)));
  }

  static Dataset.Source<Examples> slices(Map<String, ?> features) {
    Map<String, Given> given = new TreeMap<>();
    features.forEach((name, value) -> given.put(name, Given.of(value)));
    List<String> names = List.copyOf(given.keySet());
    return building ->
        slices(
            building,
            List.copyOf(given.values()),
            specs -> {
              Map<String, ElementSpec<Output>> named = new TreeMap<>();
              for (int i = 0; i < specs.size(); i++) {
                named.put(names.get(i), specs.get(i));
              }
              return ElementSpec.examples(named);
            });
  }

  private static <E> Built<E> slices(
      Building building,
      List<Given> given,
      Function<List<ElementSpec<Output>>, ElementSpec<E>> structure) {
    List<Output> values = given.stream().map(value -> value.in(building.tf())).toList();
    List<ElementSpec<Output>> specs = new ArrayList<>();
    Shape first = values.get(0).shape();
    for (Output value : values) {
      Shape shape = value.shape();
      if (shape.hasRank() && shape.isScalar()) {
        throw TributaryException.invalidArgument(
            "Dataset tensorSlices: %s is a scalar and has no slices: give at least a vector, or use"
                + " Dataset.tensor",
            value.name());
      }
      if (shape.hasRank() && first.hasRank() && differ(shape.size(0), first.size(0))) {
        throw TributaryException.invalidArgument(
            "Dataset tensorSlices: the values have %d and %d slices: give values whose first"
                + " dimensions are equal",
            first.size(0), shape.size(0));
      }
      specs.add(ElementSpec.tensor(value.type(), Stages.slice(shape)));
    }
    return building.finish(
        building.op("TensorSliceDataset").inputList(values),
        "Toutput_types",
        structure.apply(specs));
  }

  private static boolean differ(long a, long b) {
    return a != Shape.UNKNOWN && b != Shape.UNKNOWN && a != b;
  }

  static Dataset.Source<Output> range(long start, long stop, long step) {
    if (step == 0) {
      throw TributaryException.invalidArgument("Dataset range: step is 0: give another one");
    }
    return building ->
        building.finish(
            building.op(
                "RangeDataset",
                building.scalar(start),
                building.scalar(stop),
                building.scalar(step)),
            ElementSpec.tensor(DataType.INT64, Shape.scalar()));
  }

  static Dataset.Source<Output> random(long seed) {
    return building -> {
      OpSeeds seeds = building.seeds(OptionalLong.of(seed));
      return building.finish(
          building.op(
              "RandomDataset", building.scalar(seeds.seed()), building.scalar(seeds.seed2())),
          ElementSpec.tensor(DataType.INT64, Shape.scalar()));
    };
  }
}
