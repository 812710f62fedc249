package dev.tributary.cluster.internal.master;

import static dev.tributary.cluster.internal.master.TestClient.DEFAULTS;
import static dev.tributary.cluster.internal.master.TestClient.await;
import static dev.tributary.cluster.internal.master.TestClient.code;
import static dev.tributary.cluster.internal.master.TestClient.failure;
import static dev.tributary.cluster.internal.master.TestClient.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.CreateSessionRequest;
import dev.tributary.cluster.internal.protocol.ExtendSessionRequest;
import dev.tributary.cluster.internal.protocol.ListDevicesResponse;
import dev.tributary.cluster.internal.protocol.ResetRequest;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.error.ErrorCode;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.ClusterDef;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.DeviceAttributes;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.JobDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.RunOptions;

/** What a master promises about sessions, devices and resets, however it is reached. */
abstract class MasterSessionsContract extends MasterFixture {
  @Test
  void createSession_badGraphs_areRefused() {
    NodeDef good = NodeDef.newBuilder().setName("n").setOp("NoOp").build();
    List<NodeDef> bad =
        List.of(
            good.toBuilder().setName("_n").build(),
            good.toBuilder().setName("").build(),
            good.toBuilder().setDevice("nonsense:::").build(),
            good.toBuilder().setDevice("/job:nowhere").build(),
            good.toBuilder().addInput("missing").build(),
            good.toBuilder().addInput("^n").build());
    for (NodeDef node : bad) {
      assertThat(code(create(GraphDef.newBuilder().addNode(node).build())))
          .as("%s", node)
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
    assertThat(code(create(GraphDef.newBuilder().addNode(good).addNode(good).build())))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(code(create(GraphDef.newBuilder().addNode(good.toBuilder().setOp("Nope")).build())))
        .isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void createSession_cyclicGraph_isInvalid() {
    NodeDef first = NodeDef.newBuilder().setName("a").setOp("NoOp").addInput("^b").build();
    NodeDef second = NodeDef.newBuilder().setName("b").setOp("NoOp").addInput("^a").build();

    assertThat(code(create(GraphDef.newBuilder().addNode(first).addNode(second).build())))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void createSession_threadsOfItsOwn_isInvalid() {
    ConfigProto threads = ConfigProto.newBuilder().setUsePerSessionThreads(true).build();

    assertThat(code(TestClient.create(master, GraphDef.getDefaultInstance(), threads)))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void createSession_deviceThatIsNotThere_needsSoftPlacement() {
    tf.withDevice("/job:worker/task:1/device:GPU:0").withName("three").constant(3f);
    GraphDef graph = GraphDefs.toProto(tf.graph());

    assertThat(code(create(graph))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    ConfigProto soft = ConfigProto.newBuilder().setAllowSoftPlacement(true).build();
    try (TestClient client = TestClient.open(master, graph, soft)) {
      assertThat(client.fetch("three:0")).isEqualTo(3);
    }
  }

  @Test
  void createSession_isolated_hasVariablesOfItsOwn() {
    counter();
    ConfigProto isolated = ConfigProto.newBuilder().setIsolateSessionState(true).build();
    try (TestClient shared = open();
        TestClient alone = TestClient.open(master, GraphDefs.toProto(tf.graph()), isolated)) {
      shared.run("counter/Assign");
      alone.run("counter/Assign");
      alone.run("increment");

      assertThat(shared.fetch("value")).isEqualTo(0);
      assertThat(alone.fetch("value")).isEqualTo(1);
    }
  }

  @Test
  void createSession_clusterOfTheClient_runsUnderItsNames() {
    Output three = tf.withDevice("/job:b/task:0").withName("three").constant(3f);
    tf.withDevice("/job:a/task:0").withName("six").add(three, three);
    ConfigProto config =
        ConfigProto.newBuilder()
            .setClusterDef(
                ClusterDef.newBuilder()
                    .addJob(JobDef.newBuilder().setName("a").putTasks(0, "worker-0:1"))
                    .addJob(JobDef.newBuilder().setName("b").putTasks(0, "worker-1:1")))
            .build();
    GraphDef graph = GraphDefs.toProto(tf.graph());
    String handle =
        await(
                master.createSession(
                    new CreateSessionRequest(graph, config, "grpc://worker-0:1"), DEFAULTS))
            .sessionHandle();
    RunStepResponse response =
        await(
            master.runStep(
                new RunStepRequest(
                    handle,
                    List.of(),
                    List.of("six"),
                    List.of(),
                    RunOptions.getDefaultInstance(),
                    "",
                    0),
                DEFAULTS));
    ListDevicesResponse devices = await(master.listDevices(handle, DEFAULTS));

    assertThat(numbers(response)).containsEntry("six", 6.0);
    assertThat(devices.localDevices())
        .extracting(DeviceAttributes::getName)
        .containsExactly("/job:a/replica:0/task:0/device:CPU:0");
    assertThat(devices.remoteDevices())
        .extracting(DeviceAttributes::getName)
        .containsExactly("/job:b/replica:0/task:0/device:CPU:0");
    await(master.closeSession(handle, DEFAULTS));
    assertThat(
            code(
                master.createSession(
                    new CreateSessionRequest(graph, config, "grpc://ps-0:1"), DEFAULTS)))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void unknownSession_allCalls_haveTheirCodes() {
    RunStepRequest step =
        new RunStepRequest(
            "feed", List.of(), List.of(), List.of("n"), RunOptions.getDefaultInstance(), "", 0);

    assertThat(failure(master.runStep(step, DEFAULTS)))
        .hasMessage("Session feed is not found.")
        .matches(e -> e.code() == ErrorCode.ABORTED);
    assertThat(failure(master.closeSession("feed", DEFAULTS)))
        .hasMessage("Session feed is not found. Possibly, this master has restarted.")
        .matches(e -> e.code() == ErrorCode.ABORTED);
    assertThat(
            code(
                master.extendSession(
                    new ExtendSessionRequest("feed", GraphDef.getDefaultInstance(), 0), DEFAULTS)))
        .isEqualTo(ErrorCode.ABORTED);
    assertThat(code(master.listDevices("feed", DEFAULTS))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void closeSession_stepsThatRun_areCancelled() throws InterruptedException {
    waiting();
    TestClient client = open();
    CompletableFuture<RunStepResponse> step = client.step(Map.of(), List.of("wait"), List.of());
    cluster.tiny.gate.next();

    client.close();

    assertThat(failure(step))
        .hasMessageContaining("Session::Close()")
        .matches(e -> e.code() == ErrorCode.CANCELLED);
    assertThat(code(client.step(Map.of(), List.of("wait"), List.of())))
        .isEqualTo(ErrorCode.ABORTED);
  }

  @Test
  void listDevices_withoutSession_splitsLocalAndRemote() {
    ListDevicesResponse devices = await(master.listDevices("", DEFAULTS));

    assertThat(devices.localDevices())
        .extracting(DeviceAttributes::getName)
        .containsExactly("/job:worker/replica:0/task:0/device:CPU:0");
    assertThat(devices.remoteDevices())
        .extracting(DeviceAttributes::getName)
        .containsExactly(
            "/job:ps/replica:0/task:0/device:CPU:0", "/job:worker/replica:0/task:1/device:CPU:0");
  }

  @Test
  void listDevices_ofASession_areAllLocalAndFiltered() {
    ConfigProto filtered = ConfigProto.newBuilder().addDeviceFilters("/job:ps").build();
    try (TestClient all = open();
        TestClient few = TestClient.open(master, GraphDef.getDefaultInstance(), filtered)) {
      assertThat(await(master.listDevices(all.handle, DEFAULTS)).localDevices()).hasSize(3);
      assertThat(await(master.listDevices(few.handle, DEFAULTS)).localDevices())
          .extracting(DeviceAttributes::getName)
          .containsExactly(
              "/job:worker/replica:0/task:0/device:CPU:0", "/job:ps/replica:0/task:0/device:CPU:0");
    }
  }

  @Test
  void reset_allSessions_endAndVariablesAreGone() {
    counter();
    TestClient before = open();
    before.run("counter/Assign");

    await(master.reset(new ResetRequest(List.of(), List.of()), DEFAULTS));

    assertThat(code(before.step(Map.of(), List.of("value"), List.of())))
        .isEqualTo(ErrorCode.ABORTED);
    try (TestClient after = open()) {
      assertThat(code(after.step(Map.of(), List.of("value"), List.of())))
          .isEqualTo(ErrorCode.FAILED_PRECONDITION);
    }
  }

  @Test
  void reset_filtered_leavesOtherTasksAlone() {
    counter();
    try (TestClient before = open()) {
      before.run("counter/Assign");
      await(connect(1).reset(new ResetRequest(List.of(), List.of("/job:worker")), DEFAULTS));

      assertThat(before.fetch("value")).isEqualTo(0);
    }
  }

  private CompletableFuture<String> create(GraphDef graph) {
    return TestClient.create(master, graph, ConfigProto.getDefaultInstance());
  }
}
