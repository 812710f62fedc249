package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.interop.Clusters.Mix;
import dev.tributary.interop.TestCluster.Task;
import dev.tributary.ops.Accumulator;
import dev.tributary.ops.AccumulatorOptions;
import dev.tributary.ops.LookupTable;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.GraphDef;

/**
 * Queues, accumulators and tables on the ps are shared by sessions at different masters, whoever
 * runs the tasks and whoever asks.
 */
@RequiresStockTensorFlow
@Timeout(120)
class ClusterQueueTest {
  private static final long LIMIT_SECONDS = 60;

  static Stream<Arguments> settings() {
    return Stream.of(Mix.values())
        .flatMap(mix -> Stream.of(ClusterClient.Kind.values()).map(c -> Arguments.of(mix, c)));
  }

  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void queue_onPs_carriesElementsBetweenSessions(Mix mix, ClusterClient.Kind kind)
      throws Exception {
    for (String suffix : List.of("", "V2")) {
      GraphDef graph = queueGraph(suffix, kind + suffix);
      try (ClusterClient consumer = kind.open(graph, Clusters.of(mix).target(Task.WORKER_0));
          ClusterClient producer = kind.open(graph, Clusters.of(mix).target(Task.WORKER_1))) {
        CompletableFuture<float[]> batch =
            CompletableFuture.supplyAsync(() -> floats(consumer, "batch:0"));
        producer.runTarget("enqueue");
        producer.runTarget("enqueue_many");

        assertThat(batch.get(LIMIT_SECONDS, TimeUnit.SECONDS)).containsExactly(1f, 2f, 3f);
        producer.runTarget("close");
        assertThat(floats(consumer, "rest:0")).containsExactly(4f);
        RuntimeException end =
            catchThrowableOfType(RuntimeException.class, () -> floats(consumer, "rest:0"));
        assertThat(consumer.codeOf(end)).isEqualTo(ErrorCode.OUT_OF_RANGE);
        assertThat(end).hasMessageContaining("is closed and has insufficient elements");
      }
    }
  }

  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void accumulator_onPs_waitsForGradientsOfAllWorkers(Mix mix, ClusterClient.Kind kind)
      throws Exception {
    GraphDef graph = accumulatorGraph(kind.name());
    try (ClusterClient chief = kind.open(graph, Clusters.of(mix).target(Task.WORKER_0));
        ClusterClient worker = kind.open(graph, Clusters.of(mix).target(Task.WORKER_1))) {
      CompletableFuture<float[]> mean =
          CompletableFuture.supplyAsync(() -> floats(chief, "take:0"));
      chief.runTarget("apply_1");
      worker.runTarget("apply_5");

      assertThat(mean.get(LIMIT_SECONDS, TimeUnit.SECONDS)).containsExactly(3f);
      worker.runTarget("apply_1");
      try (Tensor count = worker.run(Map.of(), List.of("count:0"), List.of()).get(0)) {
        assertThat(count.intValue()).as("gradients after a stale one").isZero();
      }
    }
  }

  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void table_onPs_isFoundByOtherSessions(Mix mix, ClusterClient.Kind kind) throws Exception {
    GraphDef graph = tableGraph(kind.name());
    try (ClusterClient one = kind.open(graph, Clusters.of(mix).target(Task.WORKER_0));
        ClusterClient other = kind.open(graph, Clusters.of(mix).target(Task.WORKER_1))) {
      one.runTarget("init");

      assertThat(floats(other, "found:0")).containsExactly(20f, -1f);
    }
  }

  @Test
  void queue_waitingSessionIsClosed_getsItsElementsBack() throws Exception {
    GraphDef graph = queueGraph("V2", "closed-session");
    ClusterTarget target = Clusters.of(Mix.ALL_OURS).target(Task.WORKER_0);
    ClusterClient waiting = ClusterClient.Kind.OURS.open(graph, target);
    try (ClusterClient other =
        ClusterClient.Kind.OURS.open(graph, Clusters.of(Mix.ALL_OURS).target(Task.WORKER_1))) {
      other.runTarget("enqueue");
      CompletableFuture<float[]> batch =
          CompletableFuture.supplyAsync(() -> floats(waiting, "batch:0"));
      while (size(other) > 0) {
        Thread.onSpinWait();
      }
      waiting.close();

      assertThat(batch.handle((value, e) -> e).get(LIMIT_SECONDS, TimeUnit.SECONDS)).isNotNull();
      other.runTarget("enqueue_many");
      assertThat(floats(other, "batch:0")).containsExactly(1f, 2f, 3f);
    }
  }

  private static int size(ClusterClient client) {
    try (Tensor size = client.run(Map.of(), List.of("size:0"), List.of()).get(0)) {
      return size.intValue();
    }
  }

  private static float[] floats(ClusterClient client, String fetch) {
    try (Tensor value = client.run(Map.of(), List.of(fetch), List.of()).get(0)) {
      return value.toFloats();
    }
  }

  /** A queue on the ps; what goes in and comes out is on worker 1. */
  private static GraphDef queueGraph(String suffix, String sharedName) {
    try (OpsGraph graph = new OpsGraph()) {
      Ops ps = graph.tf.withDevice(Task.PS.device());
      Ops worker = graph.tf.withDevice(Task.WORKER_1.device());
      Output queue =
          ps.withName("queue")
              .scope()
              .operation("FIFOQueue" + suffix)
              .attr("component_types", List.of(DataType.FLOAT))
              .attr("shapes", List.of(Shape.scalar()))
              .attr("capacity", 10)
              .attr("shared_name", "queue-" + sharedName)
              .buildOutput();
      node(ps, "enqueue", "QueueEnqueue" + suffix, queue)
          .inputList(List.of(worker.constant(1f)))
          .build();
      node(ps, "enqueue_many", "QueueEnqueueMany" + suffix, queue)
          .inputList(List.of(worker.constant(2f, 3f, 4f)))
          .build();
      node(ps, "close", "QueueClose" + suffix, queue).build();
      node(ps, "size", "QueueSize" + suffix, queue).build();
      dequeue(ps, worker, "batch", "QueueDequeueMany" + suffix, queue);
      dequeue(ps, worker, "rest", "QueueDequeueUpTo" + suffix, queue);
      return graph.toProto();
    }
  }

  private static void dequeue(Ops ps, Ops worker, String name, String op, Output queue) {
    Operation dequeue =
        node(ps, "dequeue_" + name, op, queue)
            .input(ps.constant(3))
            .attr("component_types", List.of(DataType.FLOAT))
            .build();
    worker.withName(name).identity(dequeue.output(0));
  }

  private static GraphDef accumulatorGraph(String sharedName) {
    try (OpsGraph graph = new OpsGraph()) {
      Ops ps = graph.tf.withDevice(Task.PS.device());
      Ops worker = graph.tf.withDevice(Task.WORKER_1.device());
      Accumulator accumulator =
          ps.queues.conditionalAccumulator(
              AccumulatorOptions.of(DataType.FLOAT, Shape.scalar())
                  .withSharedName("accumulator-" + sharedName));
      for (int gradient : new int[] {1, 5}) {
        accumulator
            .in(ps.withName("apply_" + gradient))
            .applyGradient(worker.constant((float) gradient), worker.constant(0L));
      }
      accumulator.in(ps.withName("take")).takeGradient(2);
      accumulator.in(ps.withName("count")).accumulated();
      return graph.toProto();
    }
  }

  private static GraphDef tableGraph(String sharedName) {
    try (OpsGraph graph = new OpsGraph()) {
      Ops ps = graph.tf.withDevice(Task.PS.device());
      Ops worker = graph.tf.withDevice(Task.WORKER_1.device());
      LookupTable table =
          ps.lookup.hashTable(DataType.STRING, DataType.FLOAT, "table-" + sharedName);
      table.in(ps.withName("init")).initialize(ps.constant("a", "b"), ps.constant(10f, 20f));
      table.in(ps.withName("found")).find(worker.constant("b", "c"), worker.constant(-1f));
      return graph.toProto();
    }
  }

  private static OperationBuilder node(Ops tf, String name, String op, Output handle) {
    return tf.withName(name).scope().operation(op).input(handle);
  }

  /** A graph in the making. */
  private static final class OpsGraph implements AutoCloseable {
    final Ops tf = Ops.create();

    GraphDef toProto() {
      return GraphDefs.toProto(tf.graph());
    }

    @Override
    public void close() {
      tf.graph().close();
    }
  }
}
