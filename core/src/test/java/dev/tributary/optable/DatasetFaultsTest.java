package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.LiveTensors;
import dev.tributary.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bad input ends at its element, with an error that says where; nothing hangs and nothing stays.
 */
@Timeout(60)
class DatasetFaultsTest {
  private static final int WAITING = 10;

  @TempDir Path folder;

  @Test
  void csv_rowWithTooFewColumns_failsWithFileAndRecordAndTheNextFollows() throws IOException {
    Path file = Files.writeString(folder.resolve("rows.csv"), "1,2\n3\n5,6\n");
    DatasetNodes nodes = new DatasetNodes(INT64, INT64);
    OperationBuilder builder =
        nodes
            .tf
            .scope()
            .operation("CSVDataset")
            .input(nodes.tf.constant(file.toString()))
            .input(nodes.tf.constant(""))
            .input(nodes.tf.constant(4096L))
            .input(nodes.tf.constant(false))
            .input(nodes.tf.constant(","))
            .input(nodes.tf.constant(true))
            .input(nodes.tf.constant(""))
            .input(nodes.constant(Tensor.of(new long[0])))
            .inputList(
                List.of(
                    nodes.constant(Tensor.of(new long[0])),
                    nodes.constant(Tensor.of(new long[0]))));

    try (Pipeline pipeline = new Pipeline(nodes, nodes.elements(builder).buildOutput())) {
      assertThat(pipeline.next()).isEqualTo(1);
      assertFails(
          pipeline, ErrorCode.INVALID_ARGUMENT, "Expect 2 fields", "record 2", "rows.csv", "CSV");
      assertThat(pipeline.next()).isEqualTo(5);
      assertFails(pipeline, ErrorCode.OUT_OF_RANGE, "End of sequence");
    }
  }

  @Test
  void batch_ofDifferentShapes_failsWithItsStage() {
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output mixed =
        nodes.of(
            "ConcatenateDataset",
            nodes.range(0, 1, 1),
            nodes.ofTensors("TensorDataset", Tensor.of(1L, 2L)));

    try (Pipeline pipeline = new Pipeline(nodes, nodes.of("BatchDatasetV2", mixed, 2L, false))) {
      assertFails(
          pipeline,
          ErrorCode.INVALID_ARGUMENT,
          "different shapes in component 0",
          "BatchDatasetV2 '");
    }
  }

  @Test
  void function_thatFailsOnOneElement_failsAtItsPlaceOnly() {
    for (String op : List.of("MapDataset", "ParallelMapDatasetV2")) {
      DatasetNodes nodes = new DatasetNodes(INT64);
      Output mapped =
          nodes
              .calling(
                  op,
                  "f",
                  List.of(INT64),
                  nodes.range(1, -2, -1),
                  op.equals("MapDataset") ? List.of() : List.of(2L),
                  (f, x) ->
                      List.of(
                          f.scope()
                              .operation("FloorDiv")
                              .input(f.constant(8L))
                              .input(x.get(0))
                              .buildOutput()))
              .buildOutput();

      try (Pipeline pipeline = new Pipeline(nodes, mapped)) {
        assertThat(pipeline.next()).isEqualTo(8);
        assertFails(pipeline, ErrorCode.INVALID_ARGUMENT, op + " '", "FloorDiv");
        assertThat(pipeline.next()).isEqualTo(-8);
      }
    }
  }

  @Test
  void fileCache_thatAnotherPassWrites_isRefusedAndLaterComplete() {
    String files = folder.resolve("cache").toString();
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output cached = nodes.of("CacheDataset", nodes.range(0, 3, 1), files);
    try (Pipeline first = new Pipeline(nodes, cached)) {
      assertThat(first.next()).isZero();
      DatasetNodes others = new DatasetNodes(INT64);
      Output same = others.of("CacheDataset", others.range(0, 3, 1), files);
      try (Pipeline second = new Pipeline(others, same)) {
        assertFails(second, ErrorCode.ALREADY_EXISTS, "cache_0.lockfile", "CacheDataset");
      }
      assertThat(first.next()).isEqualTo(1);
      assertThat(first.next()).isEqualTo(2);
      assertFails(first, ErrorCode.OUT_OF_RANGE, "End of sequence");
    }
    assertThat(folder).isDirectoryContaining("glob:**cache.index");
    assertThat(folder).isDirectoryNotContaining("glob:**lockfile");

    DatasetNodes later = new DatasetNodes(INT64);
    Output fromFiles = later.of("CacheDataset", later.range(70, 71, 1), files);
    try (Pipeline third = new Pipeline(later, fromFiles)) {
      assertThat(third.next()).as("what was cached").isZero();
      assertThat(third.next()).isEqualTo(1);
      assertThat(third.next()).isEqualTo(2);
      assertFails(third, ErrorCode.OUT_OF_RANGE, "End of sequence");
    }
  }

  /** The function of the map waits at a queue that is empty. */
  @Test
  void session_closedWhileTenStepsWait_endsThemAllAndLeavesNothing() throws Exception {
    LiveTensors before = LiveTensors.of(Allocator.shared());
    ExecutorService clients = Executors.newFixedThreadPool(WAITING);
    DatasetNodes nodes = new DatasetNodes(INT64);
    Output queue =
        nodes
            .tf
            .scope()
            .operation("FIFOQueueV2")
            .attr("component_types", List.of(INT64))
            .buildOutput();
    Output mapped =
        nodes.calling(
            "MapDataset",
            "f",
            nodes.range(0, 100, 1),
            (f, x) ->
                List.of(
                    f.scope()
                        .operation("QueueDequeueV2")
                        .input(queue)
                        .attr("component_types", List.of(INT64))
                        .build()
                        .output(0)));
    Output other = nodes.tf.placeholder(DataType.FLOAT, Shape.scalar());
    Output free = nodes.tf.add(other, other);
    Pipeline pipeline = new Pipeline(nodes, nodes.of("PrefetchDataset", mapped, 3L));
    List<CompletableFuture<Long>> steps = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      steps.add(CompletableFuture.supplyAsync(pipeline::next, clients));
    }
    try (Tensor one = Tensor.scalar(1f);
        StepResult result = pipeline.session.runner().feed(other, one).fetch(free).run()) {
      assertThat(result.get(0).floatValue()).as("a step beside those that wait").isEqualTo(2);
    }

    pipeline.close();

    for (CompletableFuture<Long> step : steps) {
      assertThat(step.handle((value, e) -> e).get(20, TimeUnit.SECONDS)).isNotNull();
    }
    clients.shutdown();
    assertThat(clients.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    before.requireNoMore();
  }

  private static void assertFails(Pipeline pipeline, ErrorCode code, String... parts) {
    assertThatThrownBy(pipeline::next)
        .isInstanceOf(TributaryException.class)
        .satisfies(e -> assertThat(((TributaryException) e).code()).isEqualTo(code))
        .hasMessageContainingAll(parts);
  }

  /** A session with an initialised iterator. */
  private static final class Pipeline implements AutoCloseable {
    final Session session;
    private final DatasetNodes nodes;
    private final Output next;

    Pipeline(DatasetNodes nodes, Output dataset) {
      this.nodes = nodes;
      Output iterator = nodes.iterator();
      Operation initializer = nodes.make(dataset, iterator);
      next = nodes.next("IteratorGetNext", iterator)[0];
      session = Sessions.local(nodes.tf.graph());
      session.runner().target(initializer).run().close();
    }

    long next() {
      try (StepResult result = session.runner().fetch(next).run()) {
        return result.get(0).longValue();
      }
    }

    @Override
    public void close() {
      session.close();
      nodes.tf.graph().close();
    }
  }
}
