package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.wire.TensorProtos;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.LiveTensors;
import dev.tributary.testing.Sessions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Iterators that are saved after each number of elements, and restored into a fresh one: the rest
 * is the same.
 */
class IteratorStateTest {
  private static final int MOST = 60;

  /** Pipelines of one number for each element, which has a stage of each kind among them. */
  private static Map<String, Function<DatasetNodes, Output>> pipelines() {
    Map<String, Function<DatasetNodes, Output>> all = new LinkedHashMap<>();
    all.put("range", n -> n.range(3, 9, 1));
    all.put("tensor", n -> n.ofTensors("TensorDataset", Tensor.scalar(7L)));
    all.put("slices", n -> n.slices(Tensor.of(5L, 6L, 7L)));
    all.put("repeat", n -> n.of("RepeatDataset", n.range(0, 3, 1), 3L));
    all.put("take", n -> n.of("TakeDataset", n.range(0, 9, 1), 4L));
    all.put("skip", n -> n.of("SkipDataset", n.range(0, 9, 1), 4L));
    all.put("shard", n -> n.of("ShardDataset", n.range(0, 9, 1), 3L, 1L));
    all.put("autoShard", n -> n.of("AutoShardDataset", n.range(0, 9, 1), 3L, 1L));
    all.put("concatenate", n -> n.of("ConcatenateDataset", n.range(0, 3, 1), n.range(5, 8, 1)));
    all.put("batch", n -> n.of("BatchDatasetV2", n.range(0, 9, 1), 2L, false));
    all.put(
        "unbatch",
        n -> n.of("UnbatchDataset", n.of("BatchDatasetV2", n.range(0, 9, 1), 4L, false)));
    all.put("shuffle", n -> n.of("ShuffleDataset", n.range(0, 20, 1), 5L, 1L, 2L));
    all.put(
        "shuffleRepeat",
        n -> n.of("RepeatDataset", n.of("ShuffleDataset", n.range(0, 7, 1), 5L, 1L, 2L), 3L));
    all.put(
        "unseededShuffle",
        n -> n.of("RepeatDataset", n.of("ShuffleDataset", n.range(0, 7, 1), 5L, 0L, 0L), 3L));
    all.put("shuffleLikeBefore", n -> n.of("RepeatDataset", shuffleLikeBefore(n), 2L));
    all.put("prefetch", n -> n.of("PrefetchDataset", n.range(0, 12, 1), 4L));
    all.put(
        "prefetchOfPrefetch",
        n -> n.of("PrefetchDataset", n.of("PrefetchDataset", n.range(0, 12, 1), -1L), 3L));
    all.put("map", n -> n.calling("MapDataset", "f", n.range(0, 6, 1), IteratorStateTest::square));
    all.put("parallelMap", n -> parallelMap(n, n.range(0, 12, 1), 3));
    all.put("parallelMapThatFails", n -> parallelMap(n, n.range(-3, 6, 1), 2));
    all.put(
        "filter",
        n ->
            n.calling(
                "FilterDataset",
                "predicate",
                n.range(0, 9, 1),
                (f, x) -> List.of(f.less(f.constant(4L), x.get(0)))));
    all.put(
        "takeWhile",
        n ->
            n.calling(
                "TakeWhileDataset",
                "predicate",
                n.of("RepeatDataset", n.range(0, 6, 1), 2L),
                (f, x) -> List.of(f.less(x.get(0), f.constant(4L)))));
    all.put(
        "ignoreErrors",
        n ->
            n.of(
                "IgnoreErrorsDataset",
                n.calling("MapDataset", "f", n.range(-3, 5, 1), IteratorStateTest::quotient)));
    all.put("interleave", n -> interleave(n, "InterleaveDataset", 3L, 2L));
    all.put(
        "parallelInterleave",
        n -> interleave(n, "ParallelInterleaveDatasetV4", 3L, 2L, 2L, 1L, 2L));
    all.put(
        "parallelInterleaveThatFails",
        n ->
            n.calling(
                    "ParallelInterleaveDatasetV4",
                    "f",
                    List.of(INT64),
                    n.range(0, 4, 1),
                    List.of(2L, 1L, -1L, -1L, -1L),
                    (f, x) ->
                        List.of(
                            CallingDatasetOpRows.repeated(
                                f, f.math.floorDiv(f.constant(6L), x.get(0)))))
                .buildOutput());
    all.put(
        "parallelFilter",
        n ->
            n.calling(
                    "ParallelFilterDataset",
                    "predicate",
                    List.of(INT64),
                    n.range(0, 9, 1),
                    List.of(3L),
                    (f, x) -> List.of(f.less(f.constant(4L), x.get(0))))
                .buildOutput());
    all.put(
        "split",
        n -> n.of("RebatchDataset", n.of("BatchDatasetV2", n.range(0, 11, 1), 4L, false), 2L));
    all.put("slidingWindow", n -> n.of("SlidingWindowDataset", n.range(0, 9, 1), 3L, 2L, 1L));
    all.put("flatMap", n -> interleave(n, "FlatMapDataset"));
    all.put("unique", n -> n.of("UniqueDataset", n.of("RepeatDataset", n.range(0, 5, 1), 2L)));
    all.put("random", n -> n.of("TakeDataset", n.of("RandomDataset", n.tf.constant(3L), 5L), 9L));
    all.put(
        "shuffleAndRepeat", n -> n.of("ShuffleAndRepeatDataset", n.range(0, 4, 1), 6L, 1L, 2L, 5L));
    all.put("cache", n -> n.of("RepeatDataset", n.of("CacheDataset", n.range(0, 4, 1), ""), 3L));
    all.put("group", n -> ChoiceDatasetOpRows.grouped(n, "", 3));
    all.put(
        "rebatch",
        n ->
            n.of(
                "RebatchDatasetV2",
                n.of("BatchDatasetV2", n.range(0, 17, 1), 4L, false),
                n.constant(Tensor.of(3L, 2L)),
                false));
    all.put("scan", IteratorStateTest::scan);
    all.put(
        "many",
        n ->
            n.of(
                "PrefetchDataset",
                n.of(
                    "ShuffleDataset",
                    n.of("RepeatDataset", interleave(n, "InterleaveDataset", 2L, 1L), 2L),
                    6L,
                    3L,
                    4L),
                2L));
    return all;
  }

  /** Before the first element, an order without seeds is not yet there to be saved. */
  @TestFactory
  Stream<DynamicTest> rest_ofAPipelineCutAnywhere_isThatOfThePipelineThatGoesOn() {
    return pipelines().entrySet().stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.getKey(),
                    () -> check(row.getValue(), row.getKey().startsWith("unseeded") ? 1 : 0)));
  }

  private static void check(Function<DatasetNodes, Output> pipeline, int firstCut) {
    LiveTensors before = LiveTensors.of(Allocator.shared());
    int cut = firstCut;
    while (hasMoreBehind(pipeline, cut)) {
      cut++;
      assertThat(cut).as("elements of the pipeline").isLessThan(MOST);
    }
    before.requireNoMore();
  }

  /** Compares the rest behind a cut; the graphs are garbage when this returns. */
  private static boolean hasMoreBehind(Function<DatasetNodes, Output> pipeline, int cut) {
    try (Iterator first = new Iterator(INT64, pipeline);
        Iterator second = new Iterator(INT64, pipeline)) {
      first.take(cut);
      try (StepResult state = first.session.runner().fetch(first.save).run()) {
        second.take(cut / 2);
        second.restoreFrom(state.get(0));
      }
      List<String> rest = first.take(MOST);
      assertThat(second.take(MOST)).as("after %d elements", cut).isEqualTo(rest);
      return !rest.isEmpty();
    }
  }

  @Test
  void state_inAMessage_restoresTheSame() {
    Function<DatasetNodes, Output> pipeline =
        n -> n.of("PrefetchDataset", n.of("ShuffleDataset", n.range(0, 20, 1), 6L, 3L, 4L), 2L);
    try (Iterator first = new Iterator(INT64, pipeline);
        Iterator second = new Iterator(INT64, pipeline)) {
      first.take(7);
      byte[] message;
      try (StepResult state = first.session.runner().fetch(first.save).run()) {
        message = TensorProtos.toProto(state.get(0)).toByteArray();
      }
      try (Tensor read = TensorProtos.toTensor(Allocator.shared(), message)) {
        second.restoreFrom(read);
      }

      List<String> rest = first.take(MOST);
      assertThat(rest).hasSize(13);
      assertThat(second.take(MOST)).isEqualTo(rest);
    }
  }

  @Test
  void state_ofAnotherPipeline_isRefusedAndTheIteratorGoesOn() {
    try (Iterator first = new Iterator(INT64, n -> n.of("TakeDataset", n.range(0, 9, 1), 4L));
        Iterator second = new Iterator(INT64, n -> n.of("RepeatDataset", n.range(0, 9, 1), 4L));
        StepResult state = first.session.runner().fetch(first.save).run()) {
      second.take(2);

      Assertions.assertThatThrownBy(() -> second.restoreFrom(state.get(0)))
          .hasMessageContainingAll("TakeDataset", "RepeatDataset")
          .satisfies(
              e ->
                  assertThat(((TributaryException) e).code())
                      .isEqualTo(ErrorCode.FAILED_PRECONDITION));
      assertThat(second.take(1)).containsExactly("2");
    }
  }

  @Test
  void state_thatHoldsDatasets_isRefused() {
    try (Iterator windows =
        new Iterator(
            DataType.VARIANT,
            n ->
                n.of(
                    "ShuffleDataset",
                    n.of(
                        "WindowDataset",
                        n.slices(Tensor.of(1L, 2L, 3L, 4L, 5L, 6L)),
                        2L,
                        2L,
                        1L,
                        true),
                    2L,
                    1L,
                    2L))) {
      windows.session.runner().target(windows.next.operation()).run().close();

      Assertions.assertThatThrownBy(() -> windows.session.runner().fetch(windows.save).run())
          .hasMessageContaining("hold datasets");
    }
  }

  /** A session with an initialised iterator. */
  private static final class Iterator implements AutoCloseable {
    final Session session;
    final Output next;
    final Output save;
    final Output state;
    final Operation restore;

    Iterator(DataType type, Function<DatasetNodes, Output> pipeline) {
      DatasetNodes nodes = new DatasetNodes(type);
      Output iterator = nodes.iterator();
      Operation initializer = nodes.make(pipeline.apply(nodes), iterator);
      next = nodes.next("IteratorGetNext", iterator)[0];
      save = nodes.tf.scope().operation("SerializeIterator").input(iterator).buildOutput();
      state = nodes.tf.placeholder(DataType.VARIANT, Shape.ofRank(1));
      restore =
          nodes.tf.scope().operation("DeserializeIterator").input(iterator).input(state).build();
      session = Sessions.local(nodes.tf.graph());
      session.runner().target(initializer).run().close();
    }

    void restoreFrom(Tensor saved) {
      session.runner().feed(state, saved).target(restore).run().close();
    }

    /** The next elements, fewer at the end; a failure is one, too. */
    List<String> take(int count) {
      List<String> taken = new ArrayList<>();
      while (taken.size() < count) {
        try (StepResult result = session.runner().fetch(next).run()) {
          Tensor value = result.get(0);
          taken.add(
              value.rank() == 0
                  ? "" + value.longValue()
                  : List.of(value.toLongs()[0]) + ".." + value.elementCount());
        } catch (TributaryException e) {
          if (e.code() == ErrorCode.OUT_OF_RANGE) {
            return taken;
          }
          taken.add(e.code().toString());
        }
      }
      return taken;
    }

    @Override
    public void close() {
      session.close();
    }
  }

  // ---- pipelines ----

  private static Output shuffleLikeBefore(DatasetNodes n) {
    return n.builder("ShuffleDataset", n.range(0, 7, 1), 5L, 1L, 2L)
        .attr("reshuffle_each_iteration", false)
        .buildOutput();
  }

  private static List<Output> square(Ops f, List<Output> x) {
    return List.of(f.mul(x.get(0), x.get(0)));
  }

  private static List<Output> quotient(Ops f, List<Output> x) {
    Operand hundred = f.constant(100L);
    return List.of(f.scope().operation("FloorDiv").input(hundred).input(x.get(0)).buildOutput());
  }

  private static Output parallelMap(DatasetNodes n, Output input, long calls) {
    return n.calling(
            "ParallelMapDatasetV2",
            "f",
            List.of(INT64),
            input,
            List.of(calls),
            IteratorStateTest::quotient)
        .buildOutput();
  }

  private static Output interleave(DatasetNodes n, String op, Object... cycle) {
    return n.calling(
            op,
            "f",
            List.of(INT64),
            n.range(0, 6, 1),
            List.of(cycle),
            (f, x) -> List.of(CallingDatasetOpRows.repeated(f, x.get(0))))
        .buildOutput();
  }

  private static Output scan(DatasetNodes n) {
    return CallingDatasetOpRows.withState(
        n,
        "ScanDataset",
        n.trace(
            List.of(INT64, INT64),
            (f, x) -> {
              Output sum = f.add(x.get(0), x.get(1));
              return List.of(sum, f.mul(sum, x.get(1)));
            }),
        2);
  }
}
