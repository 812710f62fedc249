package dev.tributary.graph.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.TestOps;
import dev.tributary.internal.wire.AttrValues;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

class GoldenGraphsTest {
  private final Graph graph = TestOps.graph();

  @Test
  void dense_importedAndExported_isTheSameButForNotedShapes() {
    GraphDefs.importInto(graph, GoldenGraphs.dense());

    assertThat(normal(GraphDefs.toProto(graph))).isEqualTo(normal(GoldenGraphs.dense()));
    assertThat(graph.operations()).noneMatch(o -> o.attributes().has("_output_shapes"));
  }

  @Test
  void dense_imported_hasDevicesShapesAndColocation() {
    GraphDefs.importInto(graph, GoldenGraphs.dense());

    assertThat(graph.operation("dense/kernel").device()).hasToString("/job:ps/task:0");
    assertThat(graph.operation("dense/MatMul").device())
        .hasToString("/job:worker/task:0/device:GPU:0");
    assertThat(graph.output("dense/Relu:0").shape()).isEqualTo(Shape.of(-1, 2));
    assertThat(graph.output("dense/kernel").isRef()).isTrue();
    assertThat(graph.operation("dense/kernel/read").attributes().strings("_class"))
        .containsExactly("loc:@dense/kernel");
    assertThat(graph.operation("init").controlInputs())
        .extracting(Operation::name)
        .containsExactly("dense/bias/Assign", "dense/kernel/Assign");
  }

  @Test
  void loop_importedAndExported_isTheSame() {
    GraphDefs.importInto(graph, GoldenGraphs.loop());

    assertThat(normal(GraphDefs.toProto(graph))).isEqualTo(normal(GoldenGraphs.loop()));
  }

  @Test
  void loop_imported_isClosed() {
    GraphDefs.importInto(graph, GoldenGraphs.loop());

    Operation merge = graph.operation("while/Merge");
    assertThat(merge.input(0)).isEqualTo(graph.output("while/Enter:0"));
    assertThat(merge.input(1)).isEqualTo(graph.output("while/NextIteration:0"));
    assertThat(merge.output(0).shape())
        .as("the loop may change the shape")
        .isEqualTo(Shape.unknown());
  }

  @Test
  void cond_importedAndExported_isTheSame() {
    GraphDefs.importInto(graph, GoldenGraphs.cond());

    assertThat(normal(GraphDefs.toProto(graph))).isEqualTo(normal(GoldenGraphs.cond()));
  }

  @Test
  void loop_nodesInAnyOrder_isTheSameGraph() {
    for (long seed = 0; seed < 20; seed++) {
      List<NodeDef> nodes = new ArrayList<>(GoldenGraphs.loop().getNodeList());
      Collections.shuffle(nodes, new Random(seed));
      Graph shuffled = TestOps.graph();
      ImportedGraph imported =
          GraphDefs.importInto(
              shuffled, GoldenGraphs.loop().toBuilder().clearNode().addAllNode(nodes).build());

      assertThat(GraphDefs.toProto(shuffled).getNodeList())
          .as("seed %d", seed)
          .usingElementComparator((a, b) -> normal(a).equals(normal(b)) ? 0 : 1)
          .containsExactlyInAnyOrderElementsOf(nodes);
      assertThat(imported.operations())
          .extracting(Operation::name)
          .isEqualTo(nodes.stream().map(NodeDef::getName).toList());
    }
  }

  @Test
  void loop_importedTwice_isTwoFrames() {
    GraphDefs.importInto(graph, GoldenGraphs.loop());
    GraphDefs.importInto(graph, GoldenGraphs.loop(), ImportOptions.defaults().withPrefix("again"));

    assertThat(graph.operation("again/while/Enter").attributes().string("frame_name"))
        .isEqualTo("again/while/while_context");
    assertThat(graph.operation("again/while/Switch").attributes().strings("_class"))
        .containsExactly("loc:@again/while/Merge");
  }

  /** Without noted shapes, and with constants in one of the two forms they may have. */
  private static GraphDef normal(GraphDef graph) {
    GraphDef.Builder normal = graph.toBuilder();
    normal.getNodeBuilderList().forEach(GoldenGraphsTest::normalize);
    return normal.build();
  }

  private static NodeDef normal(NodeDef node) {
    NodeDef.Builder normal = node.toBuilder();
    normalize(normal);
    return normal.build();
  }

  private static void normalize(NodeDef.Builder node) {
    node.removeAttr("_output_shapes");
    if (node.containsAttr("value")) {
      var value = AttrValues.toAttrValue(node.getAttrOrThrow("value"));
      node.putAttr("value", AttrValues.toProto(value));
      AttrValues.release(value);
    }
  }
}
