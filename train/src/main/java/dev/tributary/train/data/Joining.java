package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Datasets that are made of several others. */
final class Joining {
  private Joining() {}

  static <A, B> Dataset.Source<Pair<A, B>> zip(Dataset<A> first, Dataset<B> second) {
    return building -> {
      Built<A> a = first.build(building);
      Built<B> b = second.build(building);
      return zip(building, List.of(a.variant(), b.variant()), ElementSpec.pair(a.spec(), b.spec()));
    };
  }

  static <E> Dataset.Source<List<E>> zip(List<Dataset<E>> datasets) {
    if (datasets.isEmpty()) {
      throw TributaryException.invalidArgument(
          "Dataset zip: there is no dataset: give at least one");
    }
    return building -> {
      List<Output> variants = new ArrayList<>();
      List<ElementSpec<E>> specs = new ArrayList<>();
      for (Dataset<E> dataset : datasets) {
        Built<E> built = dataset.build(building);
        variants.add(built.variant());
        specs.add(built.spec());
      }
      return zip(building, variants, ElementSpec.list(specs));
    };
  }

  private static <E> Built<E> zip(Building building, List<Output> variants, ElementSpec<E> spec) {
    return building.finish(building.op("ZipDataset").inputList(variants), spec);
  }

  static <E> Dataset.Stage<E, E> concatenate(Dataset<E> next) {
    return (building, input) -> {
      Built<E> behind = next.build(building);
      return building.finish(
          building.op("ConcatenateDataset", input.variant(), behind.variant()),
          input.spec().relaxedTo(behind.spec()));
    };
  }

  /** Elements of several datasets, each from the one whose number comes next. */
  static <E> Dataset.Source<E> choose(
      Dataset<Output> numbers, List<Dataset<E>> datasets, boolean stopsAtFirstEnd) {
    if (datasets.isEmpty()) {
      throw TributaryException.invalidArgument(
          "Dataset chooseFrom: there is no dataset: give at least one");
    }
    return building -> {
      List<Output> variants = new ArrayList<>();
      ElementSpec<E> spec = null;
      for (Dataset<E> dataset : datasets) {
        Built<E> built = dataset.build(building);
        variants.add(built.variant());
        spec = spec == null ? built.spec() : spec.relaxedTo(built.spec());
      }
      return building.finish(
          building
              .op("DirectedInterleaveDataset", numbers.build(building).variant())
              .inputList(variants)
              .attr("stop_on_empty_dataset", stopsAtFirstEnd),
          spec);
    };
  }

  /** Numbers from 0 on, drawn with these weights. */
  static Dataset<Output> draws(double[] weights, long seed) {
    double[] logits = Arrays.stream(weights).map(Math::log).toArray();
    return Dataset.random(seed)
        .batch(2, true)
        .map(
            (tf, pair) ->
                tf.reshape(
                    tf.random.statelessMultinomial(
                        tf.reshape(tf.constant(logits), 1, logits.length), tf.constant(1), pair)));
  }

  /**
   * The dataset of a variant, or of one for each component. Its node is where the variants are;
   * inside of another function they become arguments.
   */
  static <E> Dataset.Source<E> ofVariants(List<Output> variants, ElementSpec<E> spec) {
    return building ->
        variants.size() == 1 ? new Built<>(variants.get(0), spec) : zip(building, variants, spec);
  }
}
