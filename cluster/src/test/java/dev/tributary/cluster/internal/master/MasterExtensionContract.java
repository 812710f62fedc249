package dev.tributary.cluster.internal.master;

import static dev.tributary.cluster.internal.master.TestClient.code;
import static dev.tributary.cluster.internal.master.TestClient.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.graph.wire.GraphDefs;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;

/** What a master promises about graphs that grow, however it is reached. */
abstract class MasterExtensionContract extends MasterFixture {
  @Test
  void extendSession_newNodes_useOldOnesAndStateStays() {
    counter();
    GraphDef first = GraphDefs.toProto(tf.graph());
    ps.withName("again").state.assignAddVariableOp(tf.graph().output("counter"), tf.constant(10f));
    GraphDef more = added(first);
    try (TestClient client = TestClient.open(master, first, ConfigProto.getDefaultInstance())) {
      client.run("counter/Assign");

      assertThat(client.extend(more, 0)).isEqualTo(1);
      client.run("again");

      assertThat(client.fetch("value")).isEqualTo(10);
    }
  }

  @Test
  void extendSession_badExtensions_areRefusedAndChangeNothing() {
    counter();
    GraphDef graph = GraphDefs.toProto(tf.graph());
    NodeDef node = NodeDef.newBuilder().setName("more").setOp("NoOp").build();
    GraphDef good = extension(graph, node);
    try (TestClient client = TestClient.open(master, graph, ConfigProto.getDefaultInstance())) {
      assertThat(failure(client.tryExtend(good, 3)))
          .hasMessage("Current version is 0 but caller expected 3.")
          .matches(e -> e.code() == ErrorCode.ABORTED);
      assertThat(
              code(
                  client.tryExtend(extension(graph, node.toBuilder().setName("value").build()), 0)))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(
              code(
                  client.tryExtend(
                      extension(graph, node.toBuilder().setDevice("/job:no").build()), 0)))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(
              code(
                  client.tryExtend(
                      good.toBuilder().setVersions(VersionDef.newBuilder().setProducer(27)).build(),
                      0)))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);

      assertThat(client.extend(good, 0)).isEqualTo(1);
      client.run("more");
    }
  }

  /** What the graph has got since. */
  private GraphDef added(GraphDef before) {
    GraphDef now = GraphDefs.toProto(tf.graph());
    return now.toBuilder()
        .clearNode()
        .addAllNode(now.getNodeList().subList(before.getNodeCount(), now.getNodeCount()))
        .build();
  }

  private static GraphDef extension(GraphDef graph, NodeDef node) {
    return GraphDef.newBuilder().setVersions(graph.getVersions()).addNode(node).build();
  }
}
