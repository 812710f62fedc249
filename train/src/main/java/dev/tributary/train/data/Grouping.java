package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Transformations that put elements with equal keys together. */
final class Grouping {
  private static final ElementSpec<Output> KEY = ElementSpec.tensor(DataType.INT64, Shape.scalar());

  private Grouping() {}

  /** Builds the dataset that takes the place of a group. */
  @FunctionalInterface
  private interface Reduction<E, R> {
    Built<R> build(Building inside, Output key, Dataset<E> group);
  }

  static <E, R> Dataset.Stage<E, R> byWindow(
      BiFunction<Ops, E, ? extends Operand> key,
      BinaryGraphFunction<Output, Dataset<E>, Dataset<R>> reduce,
      BiFunction<Ops, Output, ? extends Operand> size) {
    return byWindow(
        key, size, (inside, k, group) -> reduce.apply(inside.tf(), k, group).build(inside));
  }

  private static <E, R> Dataset.Stage<E, R> byWindow(
      BiFunction<Ops, E, ? extends Operand> key,
      BiFunction<Ops, Output, ? extends Operand> size,
      Reduction<E, R> reduction) {
    return (building, input) -> {
      ElementSpec<Dataset<E>> group = ElementSpec.dataset(input.spec());
      Building.Traced<Output> keys =
          building.trace(
              "key",
              input.spec(),
              (inside, element) -> number(inside, "the key", key.apply(inside.tf(), element)));
      Building.Traced<R> reduced =
          building.trace(
              "reduce",
              List.of(KEY, group),
              (inside, values) -> {
                Built<R> built =
                    reduction.build(inside, values.get(0), group.pack(values.subList(1, 2)));
                return new Flattened<>(built.spec(), List.of(built.variant()));
              });
      Building.Traced<Output> sizes =
          building.trace(
              "windowSize",
              KEY,
              (inside, k) -> number(inside, "the window size", size.apply(inside.tf(), k)));
      return building.finish(
          building
              .op("GroupByWindowDataset", input.variant())
              .inputList(keys.captures())
              .inputList(reduced.captures())
              .inputList(sizes.captures())
              .attr("key_func", keys.attribute())
              .attr("reduce_func", reduced.attribute())
              .attr("window_size_func", sizes.attribute()),
          reduced.result());
    };
  }

  private static Flattened<Output> number(Building inside, String role, Operand value) {
    return Flattened.of(inside, value.asOutput()).requireScalar(role, DataType.INT64);
  }

  static <E> Dataset.Stage<E, E> byLength(
      BiFunction<Ops, E, ? extends Operand> length,
      List<Integer> boundaries,
      List<Integer> batchSizes,
      boolean dropRemainder) {
    requireBuckets(boundaries, batchSizes);
    long[] limits = boundaries.stream().mapToLong(Integer::longValue).toArray();
    long[] sizes = batchSizes.stream().mapToLong(Integer::longValue).toArray();
    return byWindow(
        (tf, element) -> bucket(tf, length.apply(tf, element).asOutput(), limits),
        (tf, bucket) -> tf.gather(tf.constant(sizes), bucket),
        (inside, bucket, group) -> {
          Output size = inside.tf().gather(inside.tf().constant(sizes), bucket);
          return Stages.<E>paddedBatch(size, dropRemainder).build(inside, group.build(inside));
        });
  }

  /** The number of the first boundary that is larger, which is the number of those that are not. */
  private static Output bucket(Ops tf, Output length, long[] limits) {
    Output notLess = tf.lessEqual(tf.constant(limits), tf.cast(length, DataType.INT64));
    return tf.sum(tf.cast(notLess, DataType.INT64));
  }

  private static void requireBuckets(List<Integer> boundaries, List<Integer> batchSizes) {
    List<Integer> sorted = new ArrayList<>(boundaries);
    sorted.sort(null);
    if (boundaries.isEmpty() || !sorted.equals(boundaries)) {
      throw TributaryException.invalidArgument(
          "Dataset bucketBySequenceLength: boundaries %s: give one or more, ascending", boundaries);
    }
    if (batchSizes.size() != boundaries.size() + 1) {
      throw TributaryException.invalidArgument(
          "Dataset bucketBySequenceLength: %d batch sizes for %d boundaries: give one more than"
              + " boundaries, the last for what is longer",
          batchSizes.size(), boundaries.size());
    }
    batchSizes.forEach(
        size -> Stages.requirePositive("bucketBySequenceLength", "a batch size", size));
  }
}
