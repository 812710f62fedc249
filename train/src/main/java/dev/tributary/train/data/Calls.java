package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Transformations that call graph functions. */
final class Calls {
  private Calls() {}

  static <E, R> Dataset.Stage<E, R> map(BiFunction<Ops, E, R> f) {
    return (building, input) -> {
      Building.Traced<R> function = building.trace("map", input.spec(), applying(f));
      return building.finish(
          building.calling("MapDataset", "f", input.variant(), function), function.result());
    };
  }

  static <E, R> Dataset.Stage<E, R> parallelMap(
      BiFunction<Ops, E, R> f, int calls, boolean deterministic) {
    requireCalls("map", calls);
    return (building, input) -> {
      Building.Traced<R> function = building.trace("map", input.spec(), applying(f));
      return mapped(building, input, function, calls, deterministic);
    };
  }

  static <R> Built<R> mapped(
      Building building,
      Built<?> input,
      Building.Traced<R> function,
      int calls,
      boolean deterministic) {
    return building.finish(
        building
            .calling("ParallelMapDatasetV2", "f", input.variant(), function)
            .input(building.scalar(calls))
            .attr("deterministic", Boolean.toString(deterministic)),
        function.result());
  }

  static <E, R> Dataset.Stage<E, R> mapAndBatch(
      BiFunction<Ops, E, R> f, long size, int calls, boolean dropRemainder) {
    requireCalls("mapAndBatch", calls);
    Stages.requirePositive("mapAndBatch", "the size", size);
    return (building, input) -> {
      Building.Traced<R> function = building.trace("map", input.spec(), applying(f));
      return building.finish(
          building
              .calling("MapAndBatchDataset", "f", input.variant(), function)
              .input(building.scalar(size))
              .input(building.scalar(calls))
              .input(building.tf().constant(dropRemainder)),
          function.result().withEachShape(shape -> Stages.batched(shape, size, dropRemainder)));
    };
  }

  /** A transformation that keeps elements or not, as the function says. */
  static <E> Dataset.Stage<E, E> choose(
      String op, BiFunction<Ops, E, ? extends Operand> predicate) {
    return (building, input) ->
        building.finish(
            building.calling(
                op, "predicate", input.variant(), predicate(building, input, predicate)),
            input.spec());
  }

  static <E> Dataset.Stage<E, E> parallelFilter(
      BiFunction<Ops, E, ? extends Operand> predicate, int calls) {
    requireCalls("filter", calls);
    return (building, input) ->
        building.finish(
            building
                .calling(
                    "ParallelFilterDataset",
                    "predicate",
                    input.variant(),
                    predicate(building, input, predicate))
                .input(building.scalar(calls))
                .attr("deterministic", "true"),
            input.spec());
  }

  private static <E> Building.Traced<Output> predicate(
      Building building, Built<E> input, BiFunction<Ops, E, ? extends Operand> predicate) {
    return building.trace(
        "predicate",
        input.spec(),
        (inside, element) ->
            Flattened.of(inside, predicate.apply(inside.tf(), element).asOutput())
                .requireScalar("the function", DataType.BOOL));
  }

  static <E, R> Dataset.Stage<E, R> flatMap(BiFunction<Ops, E, Dataset<R>> f) {
    return (building, input) -> {
      Building.Traced<R> function = building.trace("flatMap", input.spec(), opening(f));
      return building.finish(
          building.calling("FlatMapDataset", "f", input.variant(), function), function.result());
    };
  }

  static <E, R> Dataset.Stage<E, R> interleave(
      BiFunction<Ops, E, Dataset<R>> f, int cycle, int block) {
    requireCalls("interleave", cycle);
    Stages.requirePositive("interleave", "the block", block);
    return (building, input) -> {
      Building.Traced<R> function = building.trace("interleave", input.spec(), opening(f));
      return building.finish(
          building
              .calling("InterleaveDataset", "f", input.variant(), function)
              .input(building.scalar(cycle))
              .input(building.scalar(block)),
          function.result());
    };
  }

  static <E, R> Dataset.Stage<E, R> parallelInterleave(
      BiFunction<Ops, E, Dataset<R>> f, int cycle, int block, int calls, boolean deterministic) {
    requireCalls("interleave", cycle);
    requireCalls("interleave", calls);
    Stages.requirePositive("interleave", "the block", block);
    if (cycle > 0 && calls > cycle) {
      throw TributaryException.invalidArgument(
          "Dataset interleave: %d calls for a cycle of %d: at most one call for each dataset of the"
              + " cycle",
          calls, cycle);
    }
    return (building, input) -> {
      Building.Traced<R> function = building.trace("interleave", input.spec(), opening(f));
      return building.finish(
          building
              .calling("ParallelInterleaveDatasetV4", "f", input.variant(), function)
              .input(building.scalar(cycle))
              .input(building.scalar(block))
              .input(building.scalar(Dataset.AUTOTUNE))
              .input(building.scalar(Dataset.AUTOTUNE))
              .input(building.scalar(calls))
              .attr("deterministic", Boolean.toString(deterministic)),
          function.result());
    };
  }

  private static <E, R> BiFunction<Building, E, Flattened<R>> applying(BiFunction<Ops, E, R> f) {
    return (inside, element) -> Flattened.of(inside, f.apply(inside.tf(), element));
  }

  /** A function that returns a dataset; what matters of that are its elements. */
  private static <E, R> BiFunction<Building, E, Flattened<R>> opening(
      BiFunction<Ops, E, Dataset<R>> f) {
    return (inside, element) -> {
      Built<R> built = f.apply(inside.tf(), element).build(inside);
      return new Flattened<>(built.spec(), List.of(built.variant()));
    };
  }

  // ---- functions with a state ----

  static <S, E, R> Dataset.Stage<E, R> scan(
      Function<Ops, S> initial, BinaryGraphFunction<S, E, Pair<S, R>> f) {
    return (building, input) -> {
      StateTracing<S, E, R> tracing =
          StateTracing.of(
              building,
              initial.apply(building.tf()),
              input.spec(),
              (inside, state, element) -> {
                Pair<S, R> both = f.apply(inside.tf(), state, element);
                return new StateTracing.Step<>(
                    Flattened.of(inside, both.first()), Flattened.of(inside, both.second()));
              });
      return building.finish(tracing.stage(building, "ScanDataset", input), tracing.result());
    };
  }

  static <S, E> S reduce(
      Building building, Dataset<E> dataset, S initial, BinaryGraphFunction<S, E, S> f) {
    Built<E> input = dataset.build(building);
    StateTracing<S, E, List<Object>> tracing =
        StateTracing.of(
            building,
            initial,
            input.spec(),
            (inside, state, element) ->
                new StateTracing.Step<>(
                    Flattened.of(inside, f.apply(inside.tf(), state, element)),
                    Flattened.nothing()));
    OperationBuilder reduce = tracing.stage(building, "ReduceDataset", input);
    return tracing
        .state()
        .pack(Building.described(reduce, "output_types", tracing.state()).build().outputs());
  }

  static <E> E single(Building building, Dataset<E> dataset) {
    Built<E> built = dataset.build(building);
    OperationBuilder single = building.op("DatasetToSingleElement", built.variant());
    return built
        .spec()
        .pack(Building.described(single, "output_types", built.spec()).build().outputs());
  }

  static void requireCalls(String stage, int count) {
    if (count < 1 && count != Dataset.AUTOTUNE) {
      throw TributaryException.invalidArgument(
          "Dataset %s: %d at the same time: give 1 or more, or AUTOTUNE", stage, count);
    }
  }
}
