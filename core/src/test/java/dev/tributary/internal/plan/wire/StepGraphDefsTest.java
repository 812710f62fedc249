package dev.tributary.internal.plan.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.TextFormat;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.GraphDef;

@NoLeaks
class StepGraphDefsTest {
  private static final String CPU = "/job:ps/replica:0/task:3/device:CPU:0";
  private static final String CONST =
      "node { name: 'c' op: 'Const' device: '"
          + CPU
          + "'"
          + " attr { key: 'dtype' value { type: DT_FLOAT } }"
          + " attr { key: 'value' value { tensor { dtype: DT_FLOAT"
          + " tensor_shape { dim { size: 2 } } float_val: 1 float_val: 2 } } } }";

  private final Graph owner = new Graph(Ops.registry());

  @AfterEach
  void close() {
    owner.close();
  }

  @Test
  void fromProto_partWithTransfers_isReadAsItStands() throws Exception {
    StepGraph graph =
        read(
            CONST
                + "node { name: '_recv_x_0' op: '_Recv' device: '"
                + CPU
                + "' input: '^c'"
                + " attr { key: 'tensor_type' value { type: DT_FLOAT } }"
                + edge("x:0")
                + " attr { key: 'client_terminated' value { b: true } } }"
                + node("sum", "Add", "c:0", "_recv_x_0")
                + "node { name: 'sum_S1' op: '_Send' device: '"
                + CPU
                + "' input: 'sum'"
                + " attr { key: 'T' value { type: DT_FLOAT } }"
                + edge("edge_1_sum")
                + " attr { key: '_src' value { s: 'sum' } } }");

    assertThat(graph.nodes())
        .extracting(StepNode::name)
        .containsExactly("c", "_recv_x_0", "sum", "sum_S1");
    assertThat(graph.nodes()).extracting(StepNode::device).containsOnly(CPU);
    StepNode recv = graph.nodes().get(1);
    assertThat(recv.controlInputs()).containsExactly(graph.nodes().get(0));
    assertThat(recv.attributes().integer("send_device_incarnation")).isEqualTo(-2);
    assertThat(recv.attributes().bool("client_terminated")).isTrue();
    StepNode send = graph.nodes().get(3);
    assertThat(send.attributes().bool("client_terminated")).as("a default").isFalse();
    assertThat(send.attributes().string("_src")).isEqualTo("sum");
    assertThat(graph.nodes().get(2).inputs())
        .extracting(StepNode.Source::shape)
        .containsExactly(Shape.of(2), Shape.unknown());
  }

  @Test
  void fromProto_ownMessage_givesTheSameMessage() throws Exception {
    GraphDef def =
        def(
            CONST
                + "node { name: 'v' op: 'VariableV2' device: '"
                + CPU
                + "'"
                + " attr { key: 'dtype' value { type: DT_FLOAT } }"
                + " attr { key: 'shape' value { shape { dim { size: 2 } } } }"
                + " attr { key: '_class' value { list { s: 'loc:@w' } } } }"
                + node("a", "Assign", "v", "c", "^w", "^c")
                + node("w", "NoOp"));
    StepGraph graph = StepGraphDefs.fromProto(def, owner);
    GraphDef written = StepGraphDefs.toProto(graph);

    try (Graph again = new Graph(Ops.registry())) {
      assertThat(StepGraphDefs.toProto(StepGraphDefs.fromProto(written, again))).isEqualTo(written);
    }
    assertThat(written.getNode(3).getInputList()).containsExactly("v", "c", "^c", "^w");
    assertThat(written.getNode(1).getAttrOrThrow("_class").getList().getS(0).toStringUtf8())
        .isEqualTo("loc:@w");
    assertThat(graph.nodes().get(3).inputs().get(0).isRef()).isTrue();
  }

  @Test
  void roots_ofAMessage_areEffectsAndWhatNobodyConsumes() throws Exception {
    StepGraph graph =
        read(
            CONST
                + "node { name: 'random' op: 'RandomStandardNormal' device: '"
                + CPU
                + "'"
                + " input: 'sizes' attr { key: 'dtype' value { type: DT_FLOAT } }"
                + " attr { key: 'T' value { type: DT_INT32 } } }"
                + "node { name: 'sizes' op: 'Shape' device: '"
                + CPU
                + "' input: 'c'"
                + " attr { key: 'T' value { type: DT_FLOAT } } }"
                + node("sum", "Add", "c", "random"));

    assertThat(graph.nodes().stream().filter(graph::isRoot))
        .extracting(StepNode::name)
        .containsExactly("random", "sum");
  }

  @Test
  void update_neededForItsShapeOnly_staysWhenThatIsFolded() throws Exception {
    StepGraph graph =
        read(
            CONST
                + "node { name: 'v' op: 'VariableV2' device: '"
                + CPU
                + "'"
                + " attr { key: 'dtype' value { type: DT_FLOAT } }"
                + " attr { key: 'shape' value { shape { dim { size: 2 } } } } }"
                + node("update", "Assign", "v", "c")
                + node("sizes", "Shape", "update")
                + "node { name: 'fetch' op: '_Send' device: '"
                + CPU
                + "' input: 'sizes'"
                + " attr { key: 'T' value { type: DT_INT32 } }"
                + edge("sizes:0")
                + " }");
    graph.nodes().get(4).inputs().set(0, new StepNode.Source(graph.nodes().get(0), 0));
    graph.prune();

    assertThat(graph.nodes()).extracting(StepNode::name).contains("update").doesNotContain("sizes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Add    | c   | ''                | Add 'bad': is on device ''",
        "Add    | c   | /job:ps/task:0    | Add 'bad': is on device '/job:ps/task:0'",
        "Add    | c   | /job:p-s          | Add 'bad': malformed device specification",
        "Add    | d   | CPU               | Add 'bad': input 'd:0' is not a node",
        "Add    | c:1 | CPU               | Add 'bad': 'c:1' is not there",
        "Add    | bad | CPU               | cycle",
        "Cast   | c   | CPU               | Cast 'bad': attribute 'SrcT'",
      })
  void fromProto_badNode_isRefused(String op, String input, String device, String message)
      throws Exception {
    String text =
        CONST + node("bad", op, input, input).replace(CPU, device.equals("CPU") ? CPU : device);

    assertThatThrownBy(() -> read(text))
        .hasMessageContaining(message)
        .extracting(e -> ((TributaryException) e).code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(owner.size()).isZero();
  }

  @Test
  void fromProto_nameTwice_isRefused() {
    assertThatThrownBy(() -> read(CONST + CONST))
        .hasMessageContaining("Const 'c': the message has two nodes of this name");
  }

  @Test
  void fromProto_unknownOp_isNotFound() {
    assertThatThrownBy(() -> read(CONST + node("n", "Nonsense", "c")))
        .hasMessageContaining("Nonsense 'n': op type 'Nonsense' is not registered")
        .extracting(e -> ((TributaryException) e).code())
        .isEqualTo(ErrorCode.NOT_FOUND);
  }

  private StepGraph read(String text) throws TextFormat.ParseException {
    return StepGraphDefs.fromProto(def(text), owner);
  }

  private static GraphDef def(String text) throws TextFormat.ParseException {
    return TextFormat.parse(text, GraphDef.class);
  }

  private static String node(String name, String op, String... inputs) {
    StringBuilder node = new StringBuilder("node { name: '" + name + "' op: '" + op + "'");
    node.append(" device: '").append(CPU).append("'");
    for (String input : inputs) {
      node.append(" input: '").append(input).append("'");
    }
    String type = op.equals("NoOp") ? "" : " attr { key: 'T' value { type: DT_FLOAT } }";
    return node.append(type).append(" }").toString();
  }

  private static String edge(String tensorName) {
    return " attr { key: 'tensor_name' value { s: '"
        + tensorName
        + "' } }"
        + " attr { key: 'send_device' value { s: '"
        + CPU
        + "' } }"
        + " attr { key: 'send_device_incarnation' value { i: -2 } }"
        + " attr { key: 'recv_device' value { s: '"
        + CPU
        + "' } }";
  }
}
