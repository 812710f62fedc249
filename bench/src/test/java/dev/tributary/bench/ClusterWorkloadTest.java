package dev.tributary.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The course's lines on a cluster in this process. Each workload checks what it computed and fails
 * if that is wrong; the runs are too short for the figures to mean much.
 */
@Timeout(60)
class ClusterWorkloadTest {
  private static LoopbackCluster cluster;
  private static Replica first;

  @BeforeAll
  static void start() {
    cluster = LoopbackCluster.start(2);
    first = Replica.of(cluster.spec(), 0);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource
  void nullStep_ofBothInputs_reportsMedianAndWorst(VariableKind kind) {
    assertThat(Listener.said(new NullStep(first, kind), ""))
        .satisfiesExactly(
            line ->
                assertThat(line).contains("{\"input\":\"feed\",\"stat\":\"p50\"},\"unit\":\"us\""),
            line -> assertThat(line).contains("{\"input\":\"feed\",\"stat\":\"p99\"}"),
            line -> assertThat(line).contains("{\"input\":\"variable\",\"stat\":\"p50\"}"),
            line -> assertThat(line).contains("{\"input\":\"variable\",\"stat\":\"p99\"}"));
  }

  @ParameterizedTest
  @EnumSource
  void nullGraph_afterSteps_hasAddedAHalfForEach(VariableKind kind) {
    try (NullGraph graph = new NullGraph(first, kind, NullGraph.Input.feed)) {
      for (int i = 0; i < 10; i++) {
        graph.step();
      }
      assertThat(graph.value()).isEqualTo(6f);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nullGraph_ofItsOwnVariable_staysNearOne(VariableKind kind) {
    try (NullGraph graph = new NullGraph(first, kind, NullGraph.Input.variable)) {
      graph.step();
      assertThat(graph.value()).isCloseTo(1f, within(1e-6f));
    }
  }

  @ParameterizedTest
  @EnumSource
  void denseStep_withAFactorThatShows_reportsTimeAndRate(VariableKind kind) {
    assertThat(Listener.said(new DenseStep(first, kind, 1, 0.25f), ""))
        .satisfiesExactly(
            line -> assertThat(line).contains("{\"mib\":1},\"unit\":\"ms\",\"better\":\"min\""),
            line -> assertThat(line).contains("{\"mib\":1},\"unit\":\"MB/s\",\"better\":\"max\""));
  }

  @ParameterizedTest
  @EnumSource
  void sparseStep_withAFactorThatShows_reportsRows(VariableKind kind) {
    assertThat(Listener.said(new SparseStep(first, kind, 1000, 4, 64, 0.25f), ""))
        .singleElement()
        .asString()
        .contains("{\"rows\":1000,\"width\":4,\"ids\":64},\"unit\":\"rows/s\"");
  }

  @ParameterizedTest
  @EnumSource
  void training_atTheFirstWorker_meetsAndReports(VariableKind kind) {
    List<String> said = Listener.said(new Training(Model.MLP, kind, first), "\n\n\n");
    assertThat(said).hasSize(4).startsWith("SYNC", "SYNC", "SYNC");
    assertThat(said.get(3)).contains("\"bench\":\"mlp\",\"params\":{\"mode\":\"ps1w2-async\"}");
  }

  @ParameterizedTest
  @EnumSource
  void training_onACluster_beginsWithTheSameLossAsLocally(Model model) {
    try (TrainingInput input = new TrainingInput(model, 0);
        PreparedGraph local =
            PreparedGraph.training(model, VariableKind.resource, Replica.local());
        PreparedGraph remote = PreparedGraph.training(model, VariableKind.resource, first);
        PreparedGraph second =
            PreparedGraph.training(model, VariableKind.resource, Replica.of(cluster.spec(), 1))) {
      float loss = local.run(input.first());
      assertThat(remote.run(input.first())).isCloseTo(loss, within(1e-4f));
      // The second worker's replica goes on with what the first has trained.
      assertThat(second.run(input.first())).isLessThan(loss);
    }
  }

  @Test
  void startUp_reportsOneTime() {
    assertThat(Listener.said(new StartUp(first, VariableKind.resource), ""))
        .singleElement()
        .asString()
        .contains("{\"what\":\"session+init+first-step\"},\"unit\":\"ms\"");
  }

  @Test
  void fanOut_ofThreeWorkers_countsEveryStep() {
    assertThat(Listener.said(new FanOut(3, VariableKind.resource), ""))
        .singleElement()
        .asString()
        .contains("\"bench\":\"fan-out\",\"params\":{\"workers\":3},\"unit\":\"steps/s\"");
  }

  @Test
  void largeGraph_ofAFewLanes_givesTheSum() {
    assertThat(Listener.said(new LargeGraph(first, new Lanes.Size(4, 5, 3), 2), ""))
        .satisfiesExactly(
            line -> assertThat(line).contains("{\"ops\":60,\"what\":\"session+first-step\"}"),
            line -> assertThat(line).contains("{\"ops\":60,\"what\":\"later-step\"}"));
  }
}
