package dev.tributary.graph.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.graph.TestOps;
import dev.tributary.internal.wire.Defaults;
import dev.tributary.tensor.DataType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

class GraphDefsTest {
  private final Graph graph = TestOps.graph();
  private final Scope scope = graph.scope();

  @Test
  void toProto_versions_areThoseOfTensorFlow115() {
    assertThat(GraphDefs.toProto(graph).getVersions().getProducer()).isEqualTo(134);
    assertThat(GraphDefs.toProto(graph).getVersions().getMinConsumer()).isZero();
  }

  @Test
  void toProto_inputs_areWrittenAsTensorFlowDoes() {
    Output x = placeholder("x", DataType.FLOAT);
    Output axis = placeholder("axis", DataType.INT32);
    Operation split =
        scope.withName("s").operation("Split").input(axis).input(x).attr("num_split", 2).build();
    Scope late = scope.withControlDependencies(List.of(x.operation(), axis.operation()));
    late.withName("a").operation("Add").input(split.output(0)).input(split.output(1)).build();

    assertThat(node("a").getInputList()).containsExactly("s", "s:1", "^axis", "^x");
    assertThat(GraphDefs.toProto(graph).getNodeList())
        .extracting(NodeDef::getName)
        .containsExactly("x", "axis", "s", "a");
  }

  @Test
  void toProto_deviceAndColocation_areWritten() {
    Operation first = scope.withName("first").withDevice("/job:ps/cpu:0").operation("NoOp").build();
    scope.withName("second").colocatedWith(first).operation("NoOp").build();

    assertThat(node("first").getDevice()).isEqualTo("/job:ps/device:CPU:0");
    assertThat(node("second").getAttrOrThrow("_class").getList().getS(0).toStringUtf8())
        .isEqualTo("loc:@first");
  }

  @Test
  void toProto_defaults_areWrittenIfOldPeersKnowThem() {
    matMul(false);

    assertThat(node("m").getAttrMap()).containsOnlyKeys("T", "transpose_a", "transpose_b");
  }

  @Test
  void toProto_laterAttributeWithAnotherValue_isWritten() {
    matMul(true);

    assertThat(node("m").getAttrOrThrow("grad_a").getB()).isTrue();
  }

  @Test
  void toProto_defaultsKeptOrStripped_areAllOrNone() {
    matMul(false);

    assertThat(GraphDefs.toProto(graph, Defaults.KEEP).getNode(1).getAttrMap())
        .containsOnlyKeys("T", "transpose_a", "transpose_b", "grad_a", "grad_b");
    assertThat(GraphDefs.toProto(graph, Defaults.STRIP).getNode(1).getAttrMap())
        .containsOnlyKeys("T");
  }

  @Test
  void importInto_ownExport_isTheSameGraph() {
    matMul(true);
    for (Defaults defaults : Defaults.values()) {
      Graph copy = TestOps.graph();
      GraphDefs.importInto(copy, GraphDefs.toProto(graph, defaults));

      assertThat(GraphDefs.toProto(copy)).isEqualTo(GraphDefs.toProto(graph));
    }
  }

  private void matMul(boolean gradient) {
    Output x = placeholder("x", DataType.FLOAT);
    scope.withName("m").operation("MatMul").input(x).input(x).attr("grad_a", gradient).build();
  }

  private Output placeholder(String name, DataType type) {
    return scope.withName(name).operation("Placeholder").attr("dtype", type).buildOutput();
  }

  private NodeDef node(String name) {
    GraphDef def = GraphDefs.toProto(graph);
    return def.getNodeList().stream()
        .filter(n -> n.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
