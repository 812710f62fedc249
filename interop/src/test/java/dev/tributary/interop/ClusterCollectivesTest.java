package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.interop.Clusters.Mix;
import dev.tributary.interop.TestCluster.Task;
import dev.tributary.ops.DeviceGroup;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.GraphDef;

/** Collectives of which tasks of both kinds are members, whoever leads them and whoever asks. */
@RequiresStockTensorFlow
@Timeout(120)
class ClusterCollectivesTest {
  private static final List<Task> RANKS = List.of(Task.PS, Task.WORKER_0, Task.WORKER_1);
  private static final DeviceGroup GROUP = DeviceGroup.of(1, RANKS.size());
  private static final long LIMIT_SECONDS = 60;

  static Stream<Arguments> settings() {
    return Stream.of(Mix.values())
        .flatMap(mix -> Stream.of(ClusterClient.Kind.values()).map(c -> Arguments.of(mix, c)));
  }

  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void sums_ofAllTasks_areTheSameOnEach(Mix mix, ClusterClient.Kind kind) throws Exception {
    for (int size : new int[] {1, 16, 1_000, 300_007}) {
      GraphDef graph =
          onEach(
              (tf, rank) ->
                  tf.collectives.sum(
                      tf.fill(tf.constant(new int[] {size}), tf.constant(rank + 1f)),
                      GROUP,
                      1000 * kind.ordinal() + size));
      for (float[] sum : run(mix, kind, graph)) {
        assertThat(sum).hasSize(size).containsOnly(6f);
      }
    }
  }

  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void rows_ofAllTasks_areGatheredInOneOrder(Mix mix, ClusterClient.Kind kind) throws Exception {
    GraphDef graph =
        onEach(
            (tf, rank) ->
                tf.collectives.gather(
                    tf.constant(new float[] {rank, rank + 0.5f}),
                    GROUP,
                    5_000_000 + kind.ordinal()));

    for (float[] rows : run(mix, kind, graph)) {
      assertThat(rows).containsExactly(0, 0.5f, 1, 1.5f, 2, 2.5f);
    }
  }

  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void value_ofOneTask_isSpreadToAll(Mix mix, ClusterClient.Kind kind) throws Exception {
    for (int source = 0; source < RANKS.size(); source++) {
      int from = source;
      int instance = 6_000_000 + 10 * kind.ordinal() + source;
      GraphDef graph =
          onEach(
              (tf, rank) ->
                  rank == from
                      ? tf.collectives.broadcastSend(
                          tf.constant(new float[] {7, from}), GROUP, instance)
                      : tf.collectives.broadcastRecv(DataType.FLOAT, Shape.of(2), GROUP, instance));

      for (float[] value : run(mix, kind, graph)) {
        assertThat(value).containsExactly(7, from);
      }
    }
  }

  private static GraphDef onEach(BiFunction<Ops, Integer, Output> build) {
    try (Graph graph = new Graph(Ops.registry())) {
      for (int rank = 0; rank < RANKS.size(); rank++) {
        Ops tf = new Ops(graph.scope()).withDevice(RANKS.get(rank).device());
        tf.withName("result_" + rank).identity(build.apply(tf, rank));
      }
      return GraphDefs.toProto(graph);
    }
  }

  private static List<float[]> run(Mix mix, ClusterClient.Kind kind, GraphDef graph)
      throws Exception {
    try (ClusterClient client = kind.open(graph, Clusters.of(mix).target(Task.WORKER_0))) {
      return CompletableFuture.supplyAsync(
              () ->
                  client
                      .run(Map.of(), List.of("result_0:0", "result_1:0", "result_2:0"), List.of())
                      .stream()
                      .map(ClusterCollectivesTest::floats)
                      .toList())
          .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static float[] floats(Tensor tensor) {
    try (tensor) {
      return tensor.toFloats();
    }
  }
}
