package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.OpDef;

@RequiresStockTensorFlow
class StockTensorFlowTest {
  private static final Map<String, AttrValue> FLOAT = Map.of("T", Nodes.type(DataType.FLOAT));

  @Test
  void opList_always_holdsStocksOps() {
    assertThat(StockTensorFlow.opList().getOpCount()).isGreaterThan(1000);
    assertThat(StockTensorFlow.op("MatMul").getAttrList())
        .extracting(OpDef.AttrDef::getName)
        .contains("transpose_a");
    assertThatThrownBy(() -> StockTensorFlow.op("MatMull")).isInstanceOf(TributaryException.class);
  }

  @Test
  void runOp_matMulWithAttribute_multiplies() {
    Tensor a = Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f);
    Tensor b = Tensor.of(Shape.of(2, 1), 10f, 100f);

    List<Tensor> product =
        StockTensorFlow.runOp("MatMul", Map.of("transpose_a", Nodes.flag(true)), List.of(a, b));

    assertThat(product).hasSize(1);
    assertThat(product.get(0).shape()).isEqualTo(Shape.of(2, 1));
    assertThat(product.get(0).toFloats()).containsExactly(310, 420);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"FLOAT", "DOUBLE", "INT32", "INT64", "UINT8", "INT8", "INT16", "HALF", "BFLOAT16"})
  void runOp_numericType_passesItsBytes(DataType type) {
    byte[] bytes = new byte[6 * type.size()];
    new Random(7).nextBytes(bytes);
    Tensor x = Tensor.of(type, Shape.of(2, 3), bytes);

    Tensor y = StockTensorFlow.runOp("Identity", Map.of(), List.of(x)).get(0);

    assertThat(y.type()).isEqualTo(type);
    assertThat(y.shape()).isEqualTo(x.shape());
    assertThat(y.toBytes()).isEqualTo(bytes);
  }

  @Test
  void runOp_halfTypes_areComputed() {
    short two = 0x4000;
    Tensor half = Tensor.of(DataType.HALF, Shape.of(1), two);
    Tensor brain = Tensor.of(DataType.BFLOAT16, Shape.of(1), two);
    Map<String, AttrValue> toFloat = Map.of("DstT", Nodes.type(DataType.FLOAT));

    assertThat(StockTensorFlow.runOp("Cast", toFloat, List.of(half)).get(0).toFloats())
        .containsExactly(2);
    assertThat(StockTensorFlow.runOp("Cast", toFloat, List.of(brain)).get(0).toFloats())
        .containsExactly(2);
  }

  @Test
  void runOp_bool_isNegated() {
    Tensor not =
        StockTensorFlow.runOp("LogicalNot", Map.of(), List.of(Tensor.of(true, false))).get(0);

    assertThat(not.toBooleans()).containsExactly(false, true);
  }

  @Test
  void runOp_strings_shortLongAndEmpty_areJoined() {
    String text = "a string that does not fit into the twenty-two bytes of a short one, and \u00fc";
    Tensor left = Tensor.of(text, "", "x");
    Tensor right = Tensor.of("!", "", text);

    Map<String, AttrValue> separator = Map.of("separator", Nodes.text("-"));
    Tensor joined = StockTensorFlow.runOp("StringJoin", separator, List.of(left, right)).get(0);

    assertThat(joined.toStrings()).containsExactly(text + "-!", "-", "x-" + text);
  }

  @Test
  void runOp_emptyTensors_stayEmpty() {
    Tensor numbers = Tensor.zeros(DataType.FLOAT, Shape.of(0, 3));
    Tensor strings = Tensor.zeros(DataType.STRING, Shape.of(0));

    assertThat(StockTensorFlow.runOp("Neg", Map.of(), List.of(numbers)).get(0).shape())
        .isEqualTo(Shape.of(0, 3));
    assertThat(StockTensorFlow.runOp("Identity", Map.of(), List.of(strings)).get(0).shape())
        .isEqualTo(Shape.of(0));
  }

  @Test
  void runOp_outputList_isCountedOut() {
    Tensor x = Tensor.of(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);

    List<Tensor> parts =
        StockTensorFlow.runOp(
            "Split", Map.of("num_split", Nodes.number(3)), List.of(Tensor.scalar(1), x));

    assertThat(parts)
        .extracting(Tensor::toInts)
        .containsExactly(new int[] {1, 4}, new int[] {2, 5}, new int[] {3, 6});
  }

  @Test
  void runOp_mixedList_takesTypesFromInputs() {
    List<Tensor> inputs = List.of(Tensor.scalar(1.5f), Tensor.scalar("one"));

    List<Tensor> both = StockTensorFlow.runOp("IdentityN", Map.of(), inputs);

    assertThat(both.get(0).floatValue()).isEqualTo(1.5f);
    assertThat(both.get(1).stringValue()).isEqualTo("one");
  }

  @Test
  void runOp_twoOutputsOfDifferentTypes_givesBoth() {
    List<Tensor> top =
        StockTensorFlow.runOp("TopKV2", Map.of(), List.of(Tensor.of(1f, 5f, 3f), Tensor.scalar(2)));

    assertThat(top.get(0).toFloats()).containsExactly(5, 3);
    assertThat(top.get(1).toInts()).containsExactly(1, 2);
  }

  @Test
  void runOp_withoutOutputs_runsForItsEffect() {
    Tensor message = Tensor.scalar("no");

    assertThat(StockTensorFlow.runOp("Assert", Map.of(), List.of(Tensor.scalar(true), message)))
        .isEmpty();
    StockException failure =
        catchThrowableOfType(
            StockException.class,
            () ->
                StockTensorFlow.runOp("Assert", Map.of(), List.of(Tensor.scalar(false), message)));
    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void runOp_withdrawnOp_runsUnderItsLastVersion() {
    assertThat(StockTensorFlow.op("BatchMatrixDiag").hasDeprecation()).isTrue();

    Tensor diagonal =
        StockTensorFlow.runOp("BatchMatrixDiag", Map.of(), List.of(Tensor.of(2f))).get(0);

    assertThat(diagonal.shape()).isEqualTo(Shape.of(1, 1));
    assertThat(diagonal.toFloats()).containsExactly(2);
  }

  @Test
  void runOp_badSizes_tellsCodeAndMessage() {
    Tensor a = Tensor.zeros(DataType.FLOAT, Shape.of(2, 3));

    StockException failure =
        catchThrowableOfType(
            StockException.class, () -> StockTensorFlow.runOp("MatMul", Map.of(), List.of(a, a)));

    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(failure).hasMessageContaining("[2,3]");
  }

  @Test
  void session_uninitialisedVariable_isFailedPrecondition() {
    try (StockSession session = new StockSession(counter())) {
      StockException failure =
          catchThrowableOfType(StockException.class, () -> session.run(Map.of(), "count"));
      assertThat(failure.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION);
    }
  }

  @Test
  void session_badGraph_isRefused() {
    GraphDef graph = Nodes.graph(Nodes.node("x", "Neg", FLOAT, "nowhere"));

    StockException failure =
        catchThrowableOfType(StockException.class, () -> new StockSession(graph));

    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void session_unknownFetch_isNotFound() {
    try (StockSession session = new StockSession(counter())) {
      assertThatThrownBy(() -> session.run(Map.of(), "nowhere:0")).hasMessageContaining("nowhere");
    }
  }

  @Test
  void session_runTwice_keepsReferenceVariable() {
    try (StockSession session = new StockSession(counter())) {
      session.runTargets("init");
      session.run(Map.of("step:0", Tensor.scalar(2f)), List.of(), List.of("add"));
      float after = session.run(Map.of("step:0", Tensor.scalar(5f)), "add:0").get(0).floatValue();

      assertThat(after).isEqualTo(8);
      assertThat(session.run(Map.of(), "count:0").get(0).floatValue()).isEqualTo(8);
    }
  }

  @Test
  void session_optimized_computesTheSame() {
    Tensor two = Tensor.scalar(2f);
    GraphDef graph =
        Nodes.graph(
            Nodes.constant("two", two),
            Nodes.constant("text", Tensor.of("a", "b")),
            Nodes.node("four", "Mul", FLOAT, "two", "two"));

    try (StockSession plain = new StockSession(graph);
        StockSession optimized = StockSession.optimized(graph)) {
      assertThat(plain.run(Map.of(), "four").get(0).floatValue()).isEqualTo(4);
      assertThat(optimized.run(Map.of(), "four").get(0).floatValue()).isEqualTo(4);
      assertThat(plain.run(Map.of(), "text").get(0).toStrings()).containsExactly("a", "b");
    }
  }

  @Test
  void withGradients_ofSquaredProduct_areRight() {
    GraphDef graph =
        Nodes.graph(
            Nodes.placeholder("a", DataType.FLOAT),
            Nodes.placeholder("b", DataType.FLOAT),
            Nodes.node("product", "MatMul", FLOAT, "a", "b"),
            Nodes.node("y", "Square", FLOAT, "product"));
    Map<String, Tensor> feeds =
        Map.of("a:0", Tensor.of(Shape.of(1, 2), 1f, 2f), "b:0", Tensor.of(Shape.of(2, 1), 3f, 4f));

    StockGradients gradients =
        StockTensorFlow.withGradients(graph, List.of("y:0"), List.of("a:0", "b:0"));

    try (StockSession session = new StockSession(gradients.graph())) {
      List<Tensor> values = session.run(feeds, gradients.allNames(), List.of());
      assertThat(values.get(0).toFloats()).containsExactly(66, 88);
      assertThat(values.get(1).toFloats()).containsExactly(22, 44);
    }
  }

  @Test
  void withGradients_fromStartValues_areScaled() {
    GraphDef graph =
        Nodes.graph(
            Nodes.placeholder("x", DataType.FLOAT),
            Nodes.node("y", "Square", FLOAT, "x"),
            Nodes.placeholder("dy", DataType.FLOAT));

    StockGradients gradients =
        StockTensorFlow.withGradients(graph, List.of("y"), List.of("x"), List.of("dy"));

    try (StockSession session = new StockSession(gradients.graph())) {
      Map<String, Tensor> feeds = Map.of("x", Tensor.scalar(3f), "dy", Tensor.scalar(10f));
      assertThat(session.run(feeds, gradients.allNames(), List.of()).get(0).floatValue())
          .isEqualTo(60);
    }
  }

  @Test
  void withGradients_opWithout_namesTheOp() {
    GraphDef graph =
        Nodes.graph(
            Nodes.placeholder("x", DataType.FLOAT), Nodes.node("y", "Cross", FLOAT, "x", "x"));

    NoStockGradientException missing =
        catchThrowableOfType(
            NoStockGradientException.class,
            () -> StockTensorFlow.withGradients(graph, List.of("y:0"), List.of("x:0")));

    assertThat(missing.op()).isEqualTo("Cross");
  }

  @Test
  void withGradients_blockedOnTheWay_areEmpty() {
    GraphDef graph =
        Nodes.graph(
            Nodes.placeholder("x", DataType.FLOAT), Nodes.node("y", "StopGradient", FLOAT, "x"));

    assertThat(StockTensorFlow.withGradients(graph, List.of("y:0"), List.of("x:0")).names())
        .containsExactly(Optional.empty());
  }

  /**
   * A reference variable {@code count} that {@code init} sets to 1 and {@code add} increases by the
   * fed {@code step}.
   */
  private static GraphDef counter() {
    Map<String, AttrValue> scalar =
        Map.of("dtype", Nodes.type(DataType.FLOAT), "shape", Nodes.shape(Shape.scalar()));
    return Nodes.graph(
        Nodes.node("count", "VariableV2", scalar),
        Nodes.constant("one", Tensor.scalar(1f)),
        Nodes.placeholder("step", DataType.FLOAT),
        Nodes.node("init", "Assign", FLOAT, "count", "one"),
        Nodes.node("add", "AssignAdd", FLOAT, "count", "step"));
  }
}
