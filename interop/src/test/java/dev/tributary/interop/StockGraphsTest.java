package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.graph.wire.ImportOptions;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.internal.wire.OpDefs;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.TensorProto;

/**
 * Graphs go from stock TensorFlow to ours and back. Stock's own signatures stand in for ops that do
 * not matter here.
 */
@RequiresStockTensorFlow
class StockGraphsTest {
  private static final List<OpDef> STOCK_OPS = StockTensorFlow.opList().getOpList();

  @Test
  void opDefs_ofAllStockOps_surviveARoundTrip() {
    int compared = 0;
    for (OpDef def : STOCK_OPS) {
      Optional<OpDeclaration> ours = declaration(def);
      boolean tensorDefault =
          def.getAttrList().stream().anyMatch(a -> a.getDefaultValue().hasTensor());
      if (ours.isPresent() && !tensorDefault) {
        assertThat(OpDefs.toProto(ours.get().def())).isEqualTo(undescribed(def));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(1000);
  }

  @ParameterizedTest
  @EnumSource(StockModels.Variables.class)
  void perceptron_builtByStock_comesInAndGoesOutTheSame(StockModels.Variables kind) {
    assertComesInAndGoesOut(StockModels.perceptron(kind).graph());
  }

  @ParameterizedTest
  @EnumSource(StockModels.Variables.class)
  void convolutional_builtByStock_comesInAndGoesOutTheSame(StockModels.Variables kind) {
    assertComesInAndGoesOut(StockModels.convolutional(kind).graph());
  }

  @Test
  void ownGraph_exported_isAcceptedByStock() {
    Ops tf = Ops.create();
    var x = tf.withName("x").placeholder(DataType.FLOAT, Shape.of(-1, 2));
    var c = tf.withDevice("/job:ps/cpu:0").withName("c").constant(1f, 2f);
    tf.withControlDependencies(x.operation(), c.operation()).withName("i").identity(c);
    GraphDef ours = GraphDefs.toProto(tf.graph());

    try (StockGraph stock = new StockGraph(ours)) {
      GraphDef theirs = stock.definition();
      assertThat(theirs.getNodeList()).extracting(NodeDef::getName).containsExactly("x", "c", "i");
      assertThat(theirs.getNode(2)).isEqualTo(ours.getNode(2));
      assertThat(theirs.getNode(1).getDevice()).isEqualTo(ours.getNode(1).getDevice());
    }
  }

  private static void assertComesInAndGoesOut(GraphDef def) {
    Graph graph =
        new Graph(
            new OpRegistry(STOCK_OPS.stream().flatMap(op -> declaration(op).stream()).toList()));
    GraphDefs.importInto(graph, def);
    GraphDefs.importInto(graph, def, ImportOptions.defaults().withPrefix("again"));
    assertThat(graph.operations()).hasSize(2 * def.getNodeCount());

    GraphDef ours = GraphDefs.toProto(graph);
    Map<String, NodeDef> byName =
        ours.getNodeList().stream()
            .collect(Collectors.toMap(NodeDef::getName, Function.identity()));
    for (NodeDef node : def.getNodeList()) {
      assertThat(comparable(byName.get(node.getName()))).isEqualTo(comparable(node));
    }
    try (StockGraph stock = new StockGraph(ours)) {
      for (Operation operation : graph.operations()) {
        assertThat(stock.outputCount(operation.name())).isEqualTo(operation.outputCount());
      }
    }
  }

  /**
   * The node without stock's own notes, elements of constants (which have several forms), and
   * defaults.
   */
  private static NodeDef comparable(NodeDef node) {
    NodeDef.Builder comparable =
        node.toBuilder().clearExperimentalType().clearExperimentalDebugInfo();
    OpDef def =
        STOCK_OPS.stream()
            .filter(op -> op.getName().equals(node.getOp()))
            .findFirst()
            .orElseThrow();
    for (OpDef.AttrDef attribute : def.getAttrList()) {
      if (attribute.getDefaultValue().equals(node.getAttrMap().get(attribute.getName()))) {
        comparable.removeAttr(attribute.getName());
      }
    }
    if (comparable.containsAttr("value")) {
      TensorProto tensor = comparable.getAttrOrThrow("value").getTensor();
      TensorProto shape = TensorProto.newBuilder().setTensorShape(tensor.getTensorShape()).build();
      comparable.putAttr("value", AttrValue.newBuilder().setTensor(shape).build());
    }
    return comparable.build();
  }

  /** An op as stock declares it, unless it has a default that we cannot hold. */
  private static Optional<OpDeclaration> declaration(OpDef def) {
    try {
      return Optional.of(
          new OpDeclaration(
              OpDefs.toOpDef(def),
              ShapeRules::unknown,
              Optional.empty(),
              node -> {
                throw TributaryException.unimplemented("a stand-in does not run");
              },
              Optional.empty(),
              FlowKind.NONE,
              Set.of()));
    } catch (TributaryException e) {
      return Optional.empty();
    }
  }

  private static OpDef undescribed(OpDef def) {
    OpDef.Builder plain = def.toBuilder().clearSummary().clearDescription().clearControlOutput();
    plain.getInputArgBuilderList().forEach(StockGraphsTest::undescribe);
    plain.getOutputArgBuilderList().forEach(StockGraphsTest::undescribe);
    plain.getAttrBuilderList().forEach(OpDef.AttrDef.Builder::clearDescription);
    return plain.build();
  }

  private static void undescribe(OpDef.ArgDef.Builder argument) {
    argument.clearDescription().clearExperimentalFullType().clearHandleData();
  }
}
