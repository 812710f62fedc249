package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.random.OpSeeds;
import dev.tributary.ops.SparseTensor;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Transformations of one dataset that call no function. */
final class Stages {
  private Stages() {}

  /** A transformation that changes which elements there are, and when, but not what they are. */
  static <E> Dataset.Stage<E, E> same(String op, long... arguments) {
    return (building, input) -> {
      OperationBuilder builder = building.op(op, input.variant());
      for (long argument : arguments) {
        builder.input(building.scalar(argument));
      }
      return building.finish(builder, input.spec());
    };
  }

  static <E> Dataset.Stage<E, E> shuffle(long buffer, OptionalLong seed, boolean reshuffle) {
    requirePositive("shuffle", "the buffer", buffer);
    return (building, input) -> {
      OpSeeds seeds = building.seeds(seed);
      return building.finish(
          building
              .op(
                  "ShuffleDataset",
                  input.variant(),
                  building.scalar(buffer),
                  building.scalar(seeds.seed()),
                  building.scalar(seeds.seed2()))
              .attr("reshuffle_each_iteration", reshuffle),
          input.spec());
    };
  }

  static <E> Dataset.Stage<E, E> shuffleAndRepeat(long buffer, long count, long seed) {
    requirePositive("shuffleAndRepeat", "the buffer", buffer);
    return (building, input) -> {
      OpSeeds seeds = building.seeds(OptionalLong.of(seed));
      return building.finish(
          building.op(
              "ShuffleAndRepeatDataset",
              input.variant(),
              building.scalar(buffer),
              building.scalar(seeds.seed()),
              building.scalar(seeds.seed2()),
              building.scalar(count)),
          input.spec());
    };
  }

  static <E> Dataset.Stage<E, SparseTensor> denseToSparseBatch(long size, Shape row) {
    requirePositive("denseToSparseBatch", "the size", size);
    return (building, input) -> {
      if (input.spec().types().size() != 1) {
        throw TributaryException.invalidArgument(
            "elements must be one tensor to become rows of sparse tensors, got %s", input.spec());
      }
      return building.finish(
          building.op(
              "DenseToSparseBatchDataset",
              input.variant(),
              building.scalar(size),
              building.vector(row)),
          ElementSpec.sparse(input.spec().types().get(0)));
    };
  }

  static <E> Dataset.Stage<E, E> batch(long size, boolean dropRemainder) {
    requirePositive("batch", "the size", size);
    return (building, input) ->
        building.finish(
            building.op(
                "BatchDatasetV2",
                input.variant(),
                building.scalar(size),
                building.tf().constant(dropRemainder)),
            input.spec().withEachShape(shape -> batched(shape, size, dropRemainder)));
  }

  static <E> Dataset.Stage<E, E> paddedBatch(
      long size, List<Shape> shapes, List<Given> padding, boolean dropRemainder) {
    requirePositive("paddedBatch", "the size", size);
    return (building, input) -> {
      List<Shape> targets = shapes.isEmpty() ? unknownSizes(input.spec()) : shapes;
      Padding padded = new Padding(targets, padding, dropRemainder);
      return padded.batch(building, input, building.scalar(size), dropRemainder ? size : -1);
    };
  }

  /** Fills up to the largest of each batch. */
  static <E> Dataset.Stage<E, E> paddedBatch(Output size, boolean dropRemainder) {
    return (building, input) ->
        new Padding(unknownSizes(input.spec()), List.of(), dropRemainder)
            .batch(building, input, size, Shape.UNKNOWN);
  }

  /**
   * The shapes that elements are filled up to, and the values that they are filled up with.
   *
   * @param values none for zeros
   */
  private record Padding(List<Shape> targets, List<Given> values, boolean dropRemainder) {
    <E> Built<E> batch(Building building, Built<E> input, Output size, long knownSize) {
      return building.finish(
          building
              .op("PaddedBatchDatasetV2", input.variant(), size)
              .inputList(targets.stream().map(building::vector).toList())
              .inputList(padding(building, input.spec(), values))
              .input(building.tf().constant(dropRemainder)),
          "Toutput_types",
          input
              .spec()
              .withShapes(targets)
              .withEachShape(shape -> Shape.of(knownSize).concatenate(shape)));
    }
  }

  private static List<Shape> unknownSizes(ElementSpec<?> spec) {
    List<Shape> unknown = new ArrayList<>();
    for (int i = 0; i < spec.shapes().size(); i++) {
      Shape shape = spec.shapes().get(i);
      if (!shape.hasRank()) {
        throw TributaryException.invalidArgument(
            "the rank of component %d of %s is not known: give the shapes to fill up to", i, spec);
      }
      unknown.add(shape);
    }
    return unknown;
  }

  private static List<Output> padding(Building building, ElementSpec<?> spec, List<Given> padding) {
    if (!padding.isEmpty() && padding.size() != spec.types().size()) {
      throw TributaryException.invalidArgument(
          "%d values to fill up the %d components of %s: give one for each, or none",
          padding.size(), spec.types().size(), spec);
    }
    List<Output> values = new ArrayList<>();
    for (int i = 0; i < spec.types().size(); i++) {
      values.add(
          padding.isEmpty()
              ? zero(building, spec.types().get(i))
              : padding.get(i).in(building.tf()));
    }
    return values;
  }

  private static Output zero(Building building, DataType type) {
    try (Tensor zero = Tensor.zeros(type, Shape.scalar())) {
      return building.tf().constant(zero);
    }
  }

  static <E> Dataset.Stage<E, E> unbatch() {
    return (building, input) ->
        building.finish(
            building.op("UnbatchDataset", input.variant()),
            input.spec().withEachShape(Stages::slice));
  }

  static <E> Dataset.Stage<E, E> rebatch(List<Long> sizes, boolean dropRemainder) {
    sizes.forEach(size -> requirePositive("rebatch", "a size", size));
    return (building, input) ->
        building.finish(
            building.op(
                "RebatchDatasetV2",
                input.variant(),
                building.tf().constant(sizes.stream().mapToLong(Long::longValue).toArray()),
                building.tf().constant(dropRemainder)),
            input
                .spec()
                .withEachShape(
                    shape ->
                        shape.hasRank() && shape.rank() > 0
                            ? shape.withSize(0, Shape.UNKNOWN)
                            : shape));
  }

  static <E> Dataset.Stage<E, E> autoShard(long workers, long index, AutoShard policy) {
    if (index < 0 || index >= workers) {
      throw TributaryException.invalidArgument(
          "Dataset autoShard: there is no worker %d of %d: the first is number 0", index, workers);
    }
    return (building, input) ->
        policy == AutoShard.OFF
            ? input
            : building.finish(
                building
                    .op(
                        "AutoShardDataset",
                        input.variant(),
                        building.scalar(workers),
                        building.scalar(index))
                    .attr("auto_shard_policy", policy.policy()),
                input.spec());
  }

  static <E> Dataset.Stage<E, Dataset<E>> window(
      long size, long shift, long stride, boolean dropRemainder) {
    requirePositive("window", "the size", size);
    requirePositive("window", "the shift", shift);
    requirePositive("window", "the stride", stride);
    return (building, input) ->
        building.finish(
            building.op(
                "WindowDataset",
                input.variant(),
                building.scalar(size),
                building.scalar(shift),
                building.scalar(stride),
                building.tf().constant(dropRemainder)),
            ElementSpec.window(input.spec()));
  }

  /** The shape of a value's slices along its first dimension. */
  static Shape slice(Shape shape) {
    return shape.hasRank() ? shape.slice(1, shape.rank()) : shape;
  }

  static Shape batched(Shape element, long size, boolean dropRemainder) {
    return element.hasRank()
        ? Shape.of(dropRemainder ? size : Shape.UNKNOWN).concatenate(element)
        : element;
  }

  static void requirePositive(String stage, String what, long value) {
    if (value < 1) {
      throw TributaryException.invalidArgument(
          "Dataset %s: %s is %d: give 1 or more", stage, what, value);
    }
  }
}
