package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.interop.Clusters.Mix;
import dev.tributary.interop.TestCluster.Task;
import dev.tributary.ops.Ops;
import dev.tributary.session.PartialRun;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/** What sessions on a cluster can do besides training, with stock and our own parts in any mix. */
@RequiresStockTensorFlow
@Timeout(120)
class ClusterProtocolTest {
  static Stream<Arguments> settings() {
    return Stream.of(Mix.values())
        .flatMap(mix -> Stream.of(ClusterClient.Kind.values()).map(c -> Arguments.of(mix, c)));
  }

  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void variable_twoSessionsOnTwoServers_isShared(Mix mix, ClusterClient.Kind kind)
      throws Exception {
    GraphDef graph = ClusterGraphs.counter("shared-" + kind);
    TestCluster cluster = Clusters.of(mix);
    try (ClusterClient first = kind.open(graph, cluster.target(Task.WORKER_0));
        ClusterClient second = kind.open(graph, cluster.target(Task.WORKER_1))) {
      first.runTarget("init");
      assertThat(first.runScalar("read:0")).isZero();
      assertThat(second.runScalar("read:0")).isZero();
      second.runTarget("increment");
      assertThat(first.runScalar("read:0")).isEqualTo(1f);
      assertThat(second.runScalar("read:0")).isEqualTo(1f);
    }
  }

  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void extend_afterFirstStep_runsNewNodes(Mix mix, ClusterClient.Kind kind) throws Exception {
    try (ClusterClient client =
        kind.open(
            Nodes.graph(ClusterGraphs.on(Task.WORKER_1, Nodes.constant("a", Tensor.scalar(2f)))),
            Clusters.of(mix).target(Task.WORKER_0))) {
      assertThat(client.runScalar("a:0")).isEqualTo(2f);
      client.extend(
          Nodes.graph(
              ClusterGraphs.on(Task.PS, Nodes.constant("b", Tensor.scalar(3f))),
              ClusterGraphs.on(Task.WORKER_1, ClusterGraphs.binary("square", "Mul", "b", "b"))));
      assertThat(client.runScalar("square:0")).isEqualTo(9f);
      assertThat(client.runScalar("a:0")).isEqualTo(2f);
    }
  }

  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void failures_badSteps_haveStocksCodes(Mix mix, ClusterClient.Kind kind) throws Exception {
    NodeDef x = ClusterGraphs.on(Task.WORKER_0, Nodes.placeholder("x", DataType.FLOAT));
    GraphDef graph =
        Nodes.graph(
            x,
            ClusterGraphs.on(Task.WORKER_1, Nodes.constant("fine", Tensor.scalar(1f))),
            ClusterGraphs.on(Task.PS, ClusterGraphs.variable("unset", "codes-" + kind)),
            ClusterGraphs.on(Task.WORKER_1, ClusterGraphs.unary("read_unset", "Identity", "unset")),
            ClusterGraphs.on(
                Task.WORKER_1, Nodes.constant("wide", Tensor.of(Shape.of(3), 1f, 2f, 3f))),
            ClusterGraphs.on(Task.WORKER_1, ClusterGraphs.binary("sum", "AddV2", "x", "wide")));
    try (ClusterClient client = kind.open(graph, Clusters.of(mix).target(Task.WORKER_0));
        Tensor two = Tensor.of(1f, 2f)) {
      assertThat(codeOf(client, Map.of(), "read_unset:0")).isEqualTo(ErrorCode.FAILED_PRECONDITION);
      assertThat(codeOf(client, Map.of(), "sum:0")).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(codeOf(client, Map.of("x:0", two), "sum:0")).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(client.runScalar("fine:0")).as("the session goes on").isEqualTo(1f);
    }
  }

  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void whileLoop_overThreeTasks_givesItsValue(Mix mix, ClusterClient.Kind kind) throws Exception {
    Ops tf = Ops.create();
    Output last =
        tf.withDevice(Task.WORKER_0.device())
            .flow
            .whileLoop(
                List.of(tf.constant(0), tf.constant(1f)),
                (cond, state) -> cond.less(state.get(0), cond.constant(10)),
                (body, state) ->
                    List.of(
                        body.withDevice(Task.WORKER_0.device()).add(state.get(0), body.constant(1)),
                        body.withDevice(Task.PS.device())
                            .math
                            .scale(
                                body.withDevice(Task.WORKER_1.device()).math.shift(state.get(1), 1),
                                2)))
            .get(1);
    try (Graph graph = tf.graph();
        ClusterClient client =
            kind.open(GraphDefs.toProto(graph), Clusters.of(mix).target(Task.WORKER_0))) {
      for (int i = 0; i < 5; i++) {
        assertThat(client.runScalar(last.name())).isEqualTo(3070f);
      }
    }
  }

  @Test
  void partialRun_ourClientOnStockCluster_isFedAndFetchedInPieces() throws Exception {
    Ops tf = Ops.create();
    Ops worker = tf.withDevice(Task.WORKER_1.device());
    Output a = worker.placeholder(DataType.FLOAT, Shape.scalar());
    Output b = worker.placeholder(DataType.FLOAT, Shape.scalar());
    Output sum = tf.withDevice(Task.PS.device()).add(a, a);
    Output product = worker.mul(sum, b);
    try (Graph graph = tf.graph();
        Session session = Clusters.of(Mix.ALL_STOCK).target(Task.WORKER_0).open(graph);
        Tensor three = Tensor.scalar(3f);
        Tensor five = Tensor.scalar(5f)) {
      PartialRun run = session.partialRun(List.of(a, b), List.of(sum, product), List.of());
      try (StepResult first = run.run(Map.of(a, three), List.of(sum))) {
        assertThat(first.get(0).floatValue()).isEqualTo(6f);
      }
      try (StepResult second = run.run(Map.of(b, five), List.of(product))) {
        assertThat(second.get(0).floatValue()).isEqualTo(30f);
      }
    }
  }

  @Test
  void partialRun_stockClientOnOurCluster_isFedAndFetchedInPieces() throws Exception {
    requirePartialRun(Mix.ALL_OURS);
  }

  @Test
  void partialRun_stockClientOnStockCluster_isFedAndFetchedInPieces() throws Exception {
    requirePartialRun(Mix.ALL_STOCK);
  }

  private static void requirePartialRun(Mix mix) throws Exception {
    GraphDef graph =
        Nodes.graph(
            ClusterGraphs.on(Task.WORKER_0, Nodes.placeholder("a", DataType.FLOAT)),
            ClusterGraphs.on(Task.WORKER_1, Nodes.placeholder("b", DataType.FLOAT)),
            ClusterGraphs.on(Task.PS, ClusterGraphs.binary("sum", "AddV2", "a", "a")),
            ClusterGraphs.on(Task.WORKER_1, ClusterGraphs.binary("product", "Mul", "sum", "b")));
    try (StockSession session = Clusters.of(mix).target(Task.WORKER_0).openStock(graph);
        Tensor three = Tensor.scalar(3f);
        Tensor five = Tensor.scalar(5f)) {
      String run =
          session.partialRunSetup(List.of("a:0", "b:0"), List.of("sum:0", "product:0"), List.of());
      assertThat(
              session.partialRun(run, Map.of("a:0", three), List.of("sum:0")).get(0).floatValue())
          .isEqualTo(6f);
      assertThat(
              session
                  .partialRun(run, Map.of("b:0", five), List.of("product:0"))
                  .get(0)
                  .floatValue())
          .isEqualTo(30f);
    }
  }

  private static ErrorCode codeOf(ClusterClient client, Map<String, Tensor> feeds, String fetch) {
    RuntimeException failure =
        catchThrowableOfType(
            RuntimeException.class, () -> client.run(feeds, List.of(fetch), List.of()));
    return client.codeOf(failure);
  }
}
