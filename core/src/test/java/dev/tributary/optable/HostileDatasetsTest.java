package dev.tributary.optable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.session.RunOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Pipelines that would take memory or time without end: each step has an answer soon after its
 * limit, the same session makes other steps, and nothing is left when it closes.
 */
@NoLeaks
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileDatasetsTest {
  private static final long HUGE = 1L << 62;
  private static final long WIDE = 1L << 31;
  private static final Duration STEP = Duration.ofMillis(500);

  private static final Set<ErrorCode> EXHAUSTED = Set.of(ErrorCode.RESOURCE_EXHAUSTED);
  private static final Set<ErrorCode> LATE = Set.of(ErrorCode.DEADLINE_EXCEEDED);
  private static final Set<ErrorCode> REFUSED =
      Set.of(ErrorCode.INVALID_ARGUMENT, ErrorCode.RESOURCE_EXHAUSTED);
  private static final Set<ErrorCode> EITHER =
      Set.of(ErrorCode.RESOURCE_EXHAUSTED, ErrorCode.DEADLINE_EXCEEDED);

  /** A pipeline and the codes with which its first element may fail. */
  enum Row {
    SKIP_OF_ALMOST_ALL(LATE, nodes -> nodes.of("SkipDataset", endless(nodes), HUGE)),
    FILTER_THAT_KEEPS_NOTHING(
        LATE,
        nodes ->
            nodes.calling(
                "FilterDataset",
                "predicate",
                endless(nodes),
                (f, x) -> List.of(f.less(x.get(0), f.constant(0L))))),
    FUNCTION_WITHOUT_END(LATE, HostileDatasetsTest::endlessFunction),
    PREFETCHED_FUNCTION_WITHOUT_END(
        LATE, nodes -> nodes.of("PrefetchDataset", endlessFunction(nodes), HUGE)),
    EMPTY_REPEATED(
        Set.of(ErrorCode.OUT_OF_RANGE),
        nodes -> nodes.of("RepeatDataset", nodes.range(0, 0, 1), -1L)),
    EMPTY_REPEATED_OFTEN(LATE, nodes -> nodes.of("RepeatDataset", nodes.range(0, 0, 1), HUGE)),
    SHUFFLE(EITHER, nodes -> nodes.of("ShuffleDataset", endless(nodes), WIDE, 1L, 2L)),
    SHUFFLE_OF_ONE_TENSOR(
        EITHER,
        nodes ->
            nodes.of(
                "ShuffleDataset",
                nodes.of("RepeatDataset", nodes.ofTensors("TensorDataset", Tensor.scalar(1L)), -1L),
                HUGE,
                1L,
                2L)),
    BATCH(EITHER, nodes -> nodes.of("BatchDataset", endless(nodes), HUGE)),
    PADDED_BATCH(
        REFUSED,
        nodes ->
            nodes
                .tf
                .scope()
                .operation("PaddedBatchDataset")
                .input(nodes.range(0, 3, 1))
                .input(nodes.argument(2L))
                .inputList(List.of(nodes.constant(Tensor.of(HUGE, HUGE))))
                .inputList(List.of(nodes.constant(Tensor.scalar(0L))))
                .attr("output_shapes", AttrValue.ofShapes(List.of(Shape.unknown())))
                .buildOutput()),
    WINDOW(EITHER, nodes -> nodes.of("WindowDataset", endless(nodes), WIDE, 1L, 1L, true)),
    WINDOW_WITH_HUGE_STRIDE(
        EITHER, nodes -> nodes.of("WindowDataset", endless(nodes), WIDE, 1L, HUGE, true)),
    PARALLEL_MAP(
        EITHER,
        nodes ->
            nodes
                .calling(
                    "ParallelMapDatasetV2",
                    "f",
                    List.of(DataType.INT64),
                    nodes.of("SkipDataset", endlessParallelMap(nodes), HUGE),
                    List.of(WIDE),
                    (f, x) -> List.of(f.neg(x.get(0))))
                .buildOutput()),
    INTERLEAVE(
        REFUSED,
        nodes ->
            nodes
                .calling(
                    "InterleaveDataset",
                    "f",
                    List.of(DataType.INT64),
                    endless(nodes),
                    List.of(WIDE, 1L),
                    (f, x) -> List.of(range(f)))
                .buildOutput()),
    PARALLEL_INTERLEAVE(
        REFUSED,
        nodes ->
            nodes
                .calling(
                    "ParallelInterleaveDatasetV4",
                    "f",
                    List.of(DataType.INT64),
                    endless(nodes),
                    List.of(WIDE, 1L, -1L, -1L, -1L),
                    (f, x) -> List.of(range(f)))
                .buildOutput()),
    PARALLEL_INTERLEAVE_WITHOUT_ELEMENTS(
        EITHER,
        nodes ->
            nodes
                .calling(
                    "ParallelInterleaveDatasetV4",
                    "f",
                    List.of(DataType.INT64),
                    endless(nodes),
                    List.of(1000L, 1L, HUGE, HUGE, 1000L),
                    (f, x) -> List.of(nodes.in(f).of("SkipDataset", range(f), HUGE)))
                .buildOutput()),
    SLIDING_WINDOW(
        EITHER, nodes -> nodes.of("SlidingWindowDataset", endless(nodes), WIDE, 1L, HUGE)),
    SPLIT(
        LATE,
        nodes ->
            nodes.calling(
                "FilterDataset",
                "predicate",
                nodes.of(
                    "RebatchDataset", nodes.of("BatchDatasetV2", endless(nodes), 2L, false), HUGE),
                (f, x) -> List.of(f.constant(false)))),
    DEEP_CHAIN(
        REFUSED,
        nodes -> {
          Output dataset = endless(nodes);
          for (int i = 0; i < 5000; i++) {
            dataset = nodes.of("TakeDataset", dataset, 5L);
          }
          return dataset;
        }),
    ZIPPED_WITH_ITSELF(
        REFUSED,
        nodes -> {
          Output dataset = endless(nodes);
          for (int i = 0; i < 60; i++) {
            dataset =
                nodes
                    .elements(
                        nodes
                            .tf
                            .scope()
                            .operation("ZipDataset")
                            .inputList(List.of(dataset, dataset)))
                    .buildOutput();
          }
          return dataset;
        }),
    CONCATENATED_WITH_ITSELF(
        Set.of(
            ErrorCode.INVALID_ARGUMENT, ErrorCode.RESOURCE_EXHAUSTED, ErrorCode.DEADLINE_EXCEEDED),
        nodes -> {
          Output dataset = nodes.range(0, 0, 1);
          for (int i = 0; i < 60; i++) {
            dataset = nodes.of("ConcatenateDataset", dataset, dataset);
          }
          return dataset;
        }),
    FLAT_MAPS_IN_FLAT_MAPS(REFUSED, nodes -> nested(nodes, endless(nodes), 15)),
    FUNCTIONS_THAT_CALL_OTHERS_TWICE(REFUSED, nodes -> twice(nodes, endless(nodes), 25)),
    RECORDS_TOO_LONG(
        REFUSED,
        nodes ->
            nodes
                .tf
                .scope()
                .operation("FixedLengthRecordDataset")
                .input(nodes.argument("nothing"))
                .input(nodes.argument(0L))
                .input(nodes.argument(WIDE - 1))
                .input(nodes.argument(WIDE - 1))
                .input(nodes.argument(HUGE))
                .buildOutput());

    final Set<ErrorCode> codes;
    final Function<DatasetNodes, Output> dataset;

    Row(Set<ErrorCode> codes, Function<DatasetNodes, Output> dataset) {
      this.codes = codes;
      this.dataset = dataset;
    }
  }

  private static Output endless(DatasetNodes nodes) {
    return nodes.range(0, HUGE, 1);
  }

  private static Output endlessParallelMap(DatasetNodes nodes) {
    return nodes
        .calling(
            "ParallelMapDatasetV2",
            "f",
            List.of(DataType.INT64),
            endless(nodes),
            List.of(WIDE),
            (f, x) -> List.of(f.neg(x.get(0))))
        .buildOutput();
  }

  private static Output endlessFunction(DatasetNodes nodes) {
    return nodes.calling(
        "MapDataset",
        "f",
        endless(nodes),
        (f, x) ->
            List.of(
                f.flow
                    .whileLoop(
                        List.of(x.get(0)),
                        (inner, v) -> inner.less(v.get(0), inner.constant(1L)),
                        (inner, v) -> List.of(inner.identity(v.get(0))))
                    .get(0)));
  }

  private static Output range(Ops f) {
    return f.scope()
        .operation("RangeDataset")
        .input(f.constant(0L))
        .input(f.constant(HUGE))
        .input(f.constant(1L))
        .attr("output_types", AttrValue.ofTypes(List.of(DataType.INT64)))
        .attr("output_shapes", AttrValue.ofShapes(List.of(Shape.unknown())))
        .buildOutput();
  }

  /** A function whose dataset calls a function whose dataset ..., each behind a long chain. */
  private static Output nested(DatasetNodes nodes, Output input, int levels) {
    return nodes.calling(
        "FlatMapDataset",
        "f",
        input,
        (f, x) -> {
          DatasetNodes inner = nodes.in(f);
          Output dataset = range(f);
          if (levels > 0) {
            dataset = nested(inner, dataset, levels - 1);
          }
          for (int i = 0; i < 900; i++) {
            dataset = inner.of("TakeDataset", dataset, 5L);
          }
          return List.of(dataset);
        });
  }

  /** Each function uses the one of the level below in two places. */
  private static Output twice(DatasetNodes nodes, Output input, int levels) {
    String below = "";
    for (int i = 0; i < levels; i++) {
      String called = below;
      below =
          nodes
              .trace(
                  List.of(DataType.INT64),
                  (f, x) -> {
                    Output dataset = range(f);
                    for (int twice = 0; twice < (called.isEmpty() ? 0 : 2); twice++) {
                      dataset = flatMap(nodes.in(f), dataset, called);
                    }
                    return List.of(dataset);
                  })
              .name();
    }
    return flatMap(nodes, input, below);
  }

  private static Output flatMap(DatasetNodes nodes, Output input, String function) {
    return nodes
        .elements(nodes.tf.scope().operation("FlatMapDataset").input(input).inputList(List.of()))
        .attr("f", new AttrValue.Function(function, Map.of()))
        .buildOutput();
  }

  @ParameterizedTest
  @EnumSource(Row.class)
  void pipeline_withoutEnd_isAnsweredSoonAndLeavesNothing(Row row) {
    DatasetNodes nodes = new DatasetNodes(DataType.INT64);
    Output iterator = nodes.iterator();
    Output sum = nodes.tf.add(nodes.tf.constant(1f), nodes.tf.constant(2f));
    Output dataset = row.dataset.apply(nodes);
    Operation make = nodes.make(dataset, iterator);
    Output next = nodes.next("IteratorGetNext", iterator)[0];
    long begin = System.nanoTime();
    try (Session session =
        Session.local(
            nodes.tf.graph(),
            SessionOptions.defaults().withMemoryBytes(64 << 20).withInterOpThreads(2))) {
      List<TributaryException> failures = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        TributaryException failure =
            catchThrowableOfType(
                TributaryException.class,
                () -> {
                  session.runner().target(make).run().close();
                  session
                      .runner()
                      .fetch(next)
                      .options(RunOptions.defaults().withTimeout(STEP))
                      .run()
                      .close();
                });
        failures.add(failure);
      }
      assertThat(session.fetch(sum).floatValue()).isEqualTo(3f);
      assertThat(failures).doesNotContainNull();
      assertThat(failures).allSatisfy(e -> assertThat(e.code()).as(e.getMessage()).isIn(row.codes));
      assertThat(failures).allSatisfy(e -> assertThat(e.getMessage()).hasSizeLessThan(3000));
    } finally {
      nodes.tf.graph().close();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
  }

  /** The stack of a step's thread must do for the longest chain. */
  @Test
  void pipeline_ofAsManyStagesAsAllowed_givesItsElements() {
    DatasetNodes nodes = new DatasetNodes(DataType.INT64);
    Output dataset = nodes.range(0, 3, 1);
    for (int i = 0; i < 397; i++) {
      dataset = nodes.of("SkipDataset", dataset, 0L);
    }
    Output iterator = nodes.iterator();
    Operation make =
        nodes.make(nodes.of("PrefetchDataset", nodes.of("SkipDataset", dataset, 0L), 1L), iterator);
    Output next = nodes.next("IteratorGetNext", iterator)[0];
    try (Session session = Session.local(nodes.tf.graph())) {
      session.run(make);
      for (long i = 0; i < 3; i++) {
        assertThat(session.fetch(next).longValue()).isEqualTo(i);
      }
    } finally {
      nodes.tf.graph().close();
    }
  }

  /** It has room for its own element, and others for theirs. */
  @Test
  void prefetch_ofMoreThanFits_leavesMemoryToOthers() {
    DatasetNodes nodes = new DatasetNodes(DataType.INT64);
    Output iterator = nodes.iterator();
    Operation make = nodes.make(nodes.of("PrefetchDataset", endless(nodes), HUGE), iterator);
    Output next = nodes.next("IteratorGetNext", iterator)[0];
    Output some = nodes.tf.fill(nodes.constant(Tensor.of(25_000)), nodes.tf.constant(0L));
    try (Session session =
        Session.local(nodes.tf.graph(), SessionOptions.defaults().withMemoryBytes(1 << 20))) {
      session.run(make);
      for (long i = 0; i < 20_000; i++) { // More than there is room for.
        assertThat(session.fetch(next).longValue()).isEqualTo(i);
        if (i % 100 == 0) {
          session.runner().fetch(some).run().close();
        }
      }
    } finally {
      nodes.tf.graph().close();
    }
  }

  @Test
  void reduce_ofAnEndlessDataset_endsWithItsStep() {
    DatasetNodes nodes = new DatasetNodes(DataType.INT64);
    String function =
        nodes
            .trace(
                List.of(DataType.INT64, DataType.INT64),
                (f, x) -> List.of(f.add(x.get(0), x.get(1))))
            .name();
    Output sum =
        nodes
            .elements(
                nodes
                    .tf
                    .scope()
                    .operation("ReduceDataset")
                    .input(endless(nodes))
                    .inputList(List.of(nodes.tf.constant(0L)))
                    .inputList(List.of()))
            .attr("f", new AttrValue.Function(function, Map.of()))
            .buildOutput();
    try (Session session = Session.local(nodes.tf.graph())) {
      for (int i = 0; i < 3; i++) {
        TributaryException failure =
            catchThrowableOfType(
                TributaryException.class,
                () ->
                    session
                        .runner()
                        .fetch(sum)
                        .options(RunOptions.defaults().withTimeout(STEP))
                        .run());
        assertThat(failure.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
      }
    } finally {
      nodes.tf.graph().close();
    }
  }

  /** Each holds the one before as its element, so the last reference to one ends all of them. */
  @Test
  void datasets_inDatasetsManyTimes_takeNoStackWhenTheyEnd() {
    DatasetNodes nodes = new DatasetNodes(DataType.VARIANT);
    Output dataset = nodes.range(0, 3, 1);
    for (int i = 0; i < 20_000; i++) {
      dataset =
          nodes
              .tf
              .scope()
              .operation("TensorDataset")
              .inputList(List.of(dataset))
              .attr("output_shapes", AttrValue.ofShapes(List.of(Shape.unknown())))
              .buildOutput();
    }
    Output iterator = nodes.iterator();
    Operation make = nodes.make(dataset, iterator);
    try (Session session = Session.local(nodes.tf.graph())) {
      session.run(make);
      session.runner().fetch(nodes.next("IteratorGetNext", iterator)[0]).run().close();
    } finally {
      nodes.tf.graph().close();
    }
  }
}
