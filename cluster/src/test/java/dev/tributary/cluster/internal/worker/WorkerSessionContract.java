package dev.tributary.cluster.internal.worker;

import static dev.tributary.cluster.internal.worker.TestCluster.await;
import static dev.tributary.cluster.internal.worker.TestCluster.code;
import static dev.tributary.cluster.internal.worker.TestCluster.cpu;
import static dev.tributary.cluster.internal.worker.TestCluster.failure;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionRequest;
import dev.tributary.cluster.internal.protocol.RegisterGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.TracingRequest;
import dev.tributary.error.ErrorCode;
import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.ClusterDef;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.DeviceAttributes;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.JobDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.ServerDef;

/** What a worker promises about its sessions, however it is reached. */
abstract class WorkerSessionContract extends OneWorker {
  @Test
  void getStatus_always_tellsFullNamesAndIncarnations() {
    List<DeviceAttributes> devices = await(worker.getStatus(DEFAULTS));

    assertThat(devices).extracting(DeviceAttributes::getName).contains(cpu(0).device());
    assertThat(devices.get(1).getName()).isEqualTo("/job:worker/replica:0/task:0/device:CPU:1");
    assertThat(devices.get(1).getIncarnation()).isEqualTo(cpu(0, 1).incarnation());
    assertThat(devices.get(0).getDeviceType()).isEqualTo("CPU");
    assertThat(devices.get(0).getMemoryLimit()).isEqualTo(268435456);
  }

  @Test
  void createWorkerSession_emptyHandle_isInvalid() {
    assertThat(code(worker.createWorkerSession(TestCluster.session("", false), DEFAULTS)))
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void createWorkerSession_knownHandle_keepsTheSession() {
    String graph = cluster.register(0, SESSION, increment());

    await(worker.createWorkerSession(TestCluster.session(SESSION, false), DEFAULTS));

    assertThat(incremented(SESSION, graph, 1, 41)).isEqualTo(42);
  }

  @Test
  void createWorkerSession_masterStartedAnew_dropsItsEarlierSessions() {
    await(worker.createWorkerSession(ofMaster("old", 7), DEFAULTS));
    await(worker.createWorkerSession(ofMaster("same life", 7), DEFAULTS));
    cluster.register(0, "old", increment());

    await(worker.createWorkerSession(ofMaster("new", 8), DEFAULTS));

    assertThat(code(cluster.register(0, "old", GraphDef.getDefaultInstance())))
        .isEqualTo(ErrorCode.ABORTED);
    assertThat(await(cluster.register(0, SESSION, GraphDef.getDefaultInstance()))).isNotEmpty();
  }

  @Test
  void deleteWorkerSession_anySession_succeedsAndForgetsIt() {
    cluster.register(0, SESSION, increment());

    await(worker.deleteWorkerSession(SESSION, DEFAULTS));
    await(worker.deleteWorkerSession("never opened", DEFAULTS));

    assertThat(failure(cluster.register(0, SESSION, GraphDef.getDefaultInstance())))
        .hasMessage(
            "Session handle is not found: s. Possibly this worker"
                + " (\"/job:worker/replica:0/task:0\") just restarted.")
        .matches(e -> e.code() == ErrorCode.ABORTED);
  }

  @Test
  void registerGraph_badGraphs_areRefusedAndHarmless() {
    NodeDef good =
        NodeDef.newBuilder().setName("n").setOp("NoOp").setDevice(cpu(0).device()).build();
    List<NodeDef> bad =
        List.of(
            good.toBuilder().setDevice("").build(),
            good.toBuilder().setDevice("/device:CPU:0").build(),
            good.toBuilder().setDevice("nonsense:::").build(),
            good.toBuilder().addInput("missing").build(),
            good.toBuilder().addInput("^n").build());
    for (NodeDef node : bad) {
      assertThat(code(cluster.register(0, SESSION, graphOf(node))))
          .as("%s", node)
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
    assertThat(
            code(cluster.register(0, SESSION, graphOf(good.toBuilder().setOp("NoSuchOp").build()))))
        .isEqualTo(ErrorCode.NOT_FOUND);
    NodeDef elsewhere = good.toBuilder().setDevice(cpu(1).device()).build();
    assertThat(failure(cluster.register(0, SESSION, graphOf(elsewhere))))
        .hasMessageContaining(cpu(1).device() + " unknown device.");

    assertThat(await(cluster.register(0, SESSION, graphOf(good)))).matches("[0-9a-f]{16}");
  }

  @Test
  void registerGraph_transferUnderNoKey_isRefused() {
    GraphDef.Builder graph = GraphDef.newBuilder();
    try (Partition partition = cluster.partition(0)) {
      partition.received("y", DataType.INT64, cpu(1));
      graph.mergeFrom(partition.toProto());
    }
    graph
        .getNodeBuilder(0)
        .putAttr(
            "tensor_name", AttrValue.newBuilder().setS(ByteString.copyFromUtf8("a;b")).build());

    assertThat(failure(cluster.register(0, SESSION, graph.build())))
        .hasMessageContaining("Invalid  rendezvous key")
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void runGraph_sharedSession_needsNoCreateWorkerSession() {
    GraphDef graph;
    try (Partition partition = increment()) {
      graph = partition.toProto();
    }
    String handle =
        await(
            worker.registerGraph(
                new RegisterGraphRequest(
                    "ignored", false, graph, ConfigProto.getDefaultInstance(), 0),
                DEFAULTS));
    try (Tensor x = Tensor.scalar(1L)) {
      RunGraphResponse response =
          await(
              GraphCall.runGraph(worker, "ignored", handle, 1)
                  .feed(cpu(0).clientKey("x"), x)
                  .fetch(cpu(0).clientKey("y"))
                  .startInSharedSession());
      try (Tensor y = response.received().get(0).tensor()) {
        assertThat(y.longValue()).isEqualTo(2);
      }
    }
  }

  @Test
  void variables_ofTwoSessions_areTheSameUnlessIsolated() {
    cluster.createSession("other");
    await(worker.createWorkerSession(TestCluster.session("alone", true), DEFAULTS));

    assign(SESSION, 1, 5f);

    assertThat(read("other", 2)).isEqualTo(5f);
    assertThat(code(readCall("alone", 3))).isEqualTo(ErrorCode.FAILED_PRECONDITION);
    assign("alone", 6, 7f);
    assertThat(read("alone", 4)).isEqualTo(7f);
    assertThat(read(SESSION, 5)).isEqualTo(5f);
  }

  @Test
  void cleanupAll_noContainer_clearsTheDefaultOne() {
    assign(SESSION, 1, 5f);

    await(worker.cleanupAll(List.of("another"), DEFAULTS));
    assertThat(read(SESSION, 2)).isEqualTo(5f);
    await(worker.cleanupAll(List.of(), DEFAULTS));

    assertThat(code(readCall(SESSION, 3))).isEqualTo(ErrorCode.FAILED_PRECONDITION);
  }

  @Test
  void deregisterGraph_graph_isForgotten() {
    String graph = cluster.register(0, SESSION, increment());

    await(worker.deregisterGraph(SESSION, graph, DEFAULTS));

    assertThat(code(worker.deregisterGraph(SESSION, graph, DEFAULTS))).isEqualTo(ErrorCode.ABORTED);
    assertThat(code(GraphCall.runGraph(worker, SESSION, graph, 1).start()))
        .isEqualTo(ErrorCode.ABORTED);
  }

  @Test
  void createWorkerSession_clusterOfAClient_renamesDevices() {
    ServerDef server =
        ServerDef.newBuilder()
            .setCluster(
                ClusterDef.newBuilder()
                    .addJob(JobDef.newBuilder().setName("mine").putTasks(0, "localhost:1")))
            .setJobName("mine")
            .build();
    await(
        worker.createWorkerSession(
            new CreateWorkerSessionRequest("renamed", server, false, List.of(), "", 0), DEFAULTS));
    Partition.End renamed =
        new Partition.End("/job:mine/replica:0/task:0/device:CPU:0", cpu(0).incarnation());
    String graph = cluster.register(0, "renamed", increment(renamed));
    try (Tensor x = Tensor.scalar(1L)) {
      assertThat(
              GraphCall.runGraph(worker, "renamed", graph, 1)
                  .feed(renamed.clientKey("x"), x)
                  .fetch(renamed.clientKey("y"))
                  .runLong())
          .isEqualTo(2);
    }
  }

  @Test
  void tracing_always_isUnimplemented() {
    assertThat(code(worker.tracing(new TracingRequest(1), DEFAULTS)))
        .isEqualTo(ErrorCode.UNIMPLEMENTED);
  }

  private void assign(String session, long step, float value) {
    Partition partition = cluster.partition(0);
    Output handle = partition.tf.state.varHandleOp(DataType.FLOAT, Shape.scalar(), "v");
    partition.tf.state.assignVariableOp(handle, partition.tf.constant(value));
    GraphCall.runGraph(worker, session, cluster.register(0, session, partition), step).run();
  }

  private float read(String session, long step) {
    RunGraphResponse response = await(readCall(session, step));
    try (Tensor value = response.received().get(0).tensor()) {
      return value.floatValue();
    }
  }

  private CompletableFuture<RunGraphResponse> readCall(String session, long step) {
    Partition partition = cluster.partition(0);
    Output handle = partition.tf.state.varHandleOp(DataType.FLOAT, Shape.scalar(), "v");
    partition.fetched("v", partition.tf.state.readVariableOp(handle, DataType.FLOAT));
    return GraphCall.runGraph(worker, session, cluster.register(0, session, partition), step)
        .fetch(cpu(0).clientKey("v"))
        .start();
  }

  private static GraphDef graphOf(NodeDef node) {
    return GraphDef.newBuilder().addNode(node).build();
  }

  private static CreateWorkerSessionRequest ofMaster(String handle, long incarnation) {
    return new CreateWorkerSessionRequest(
        handle,
        ServerDef.getDefaultInstance(),
        false,
        List.of(),
        "/job:m/replica:0/task:0",
        incarnation);
  }
}
