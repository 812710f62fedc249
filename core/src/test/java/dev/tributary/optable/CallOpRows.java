package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BOOL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.testing.FunctionGraphs.function;
import static dev.tributary.testing.FunctionGraphs.inner;
import static dev.tributary.testing.FunctionGraphs.innerConst;
import static dev.tributary.testing.FunctionGraphs.innerInt;
import static dev.tributary.testing.FunctionGraphs.node;
import static dev.tributary.testing.FunctionGraphs.placeholder;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.FunctionGraphs;
import java.util.List;
import java.util.Map;

/** Ops that call functions, and those that stand around them. */
final class CallOpRows {
  private static final String SQUARE =
      function("square", "x:float -> y:float", "y=mul:z:0", inner("mul", "Mul", "x, x", "T=float"));
  private static final String SEVEN =
      function("seven", "x:float -> y:float", "y=k:output:0", innerConst("k", 7));
  private static final String X = placeholder("x", "float");

  private CallOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("PartitionedCall").script(d -> call("PartitionedCall")),
        OpRow.of("StatefulPartitionedCall").script(d -> call("StatefulPartitionedCall")),
        OpRow.of("SymbolicGradient").script(d -> gradient()),
        OpRow.of("RemoteCall").script(d -> remote()),
        OpRow.of("If").script(d -> branch("If")),
        OpRow.of("StatelessIf").script(d -> branch("StatelessIf")),
        OpRow.of("Case").script(d -> choice("Case")),
        OpRow.of("StatelessCase").script(d -> choice("StatelessCase")),
        OpRow.of("While").script(d -> loop("While")),
        OpRow.of("StatelessWhile").script(d -> loop("StatelessWhile")),
        OpRow.of("For").script(d -> count()),
        OpRow.of("ToBool")
            .example(() -> OpCall.of(Tensor.scalar(-0f)), Tensor.scalar(false))
            .example(() -> OpCall.of(Tensor.scalar("a")), Tensor.scalar(true))
            .example(() -> OpCall.of(Tensor.of(0, 0)), Tensor.scalar(true))
            .types(FLOAT, DOUBLE, INT32, INT64, BOOL)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 2)))),
        OpRow.of("FakeParam").script(d -> fakeParam()),
        OpRow.of("DeviceIndex").script(d -> deviceIndex()),
        OpRow.of("EnsureShape")
            .example(
                () -> OpCall.of(Tensor.of(1f, 2f)).attr("shape", Shape.of(-1)), Tensor.of(1f, 2f))
            .types(FLOAT, DOUBLE, INT32, BOOL)
            .types(ArrayDraws.COMPLEX)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 4))).attr("shape", Shape.unknown()))
            .gradientOf(0)
            .withoutStockGradient("stock's native library has none"));
  }

  private static Script call(String op) {
    return onX(3, 9, SQUARE, X, node("y", op, "x", "f=@square", "Tin=[float]", "Tout=[float]"));
  }

  private static Script gradient() {
    return onX(
        3,
        2 * 3 * 3,
        SQUARE,
        X,
        node("y", "SymbolicGradient", "x, x", "f=@square", "Tin=[float, float]", "Tout=[float]"));
  }

  private static Script remote() {
    return onX(
        3,
        9,
        SQUARE,
        X,
        "node { name: 'where' op: 'Const' attr { key: 'dtype' value { type: DT_STRING } } attr {"
            + " key: 'value' value { tensor { dtype: DT_STRING tensor_shape { } string_val:"
            + " '/cpu:0' } } } }",
        node("y", "RemoteCall", "where, x", "f=@square", "Tin=[float]", "Tout=[float]"));
  }

  private static Script branch(String op) {
    Ops tf =
        ops(
            SQUARE,
            SEVEN,
            X,
            placeholder("p", "bool"),
            node(
                "y",
                op,
                "p, x",
                "Tcond=bool",
                "Tin=[float]",
                "Tout=[float]",
                "then_branch=@square",
                "else_branch=@seven"));
    return Script.on(tf)
        .step(feeds(tf, 3, Tensor.scalar(true)), y(tf), List.of(), List.of(Tensor.scalar(9f)))
        .step(feeds(tf, 3, Tensor.scalar(false)), y(tf), List.of(), List.of(Tensor.scalar(7f)));
  }

  private static Script choice(String op) {
    Ops tf =
        ops(
            SQUARE,
            SEVEN,
            X,
            placeholder("p", "int32"),
            node("y", op, "p, x", "Tin=[float]", "Tout=[float]", "branches=[@square, @seven]"));
    return Script.on(tf)
        .step(feeds(tf, 3, Tensor.scalar(0)), y(tf), List.of(), List.of(Tensor.scalar(9f)))
        .step(feeds(tf, 3, Tensor.scalar(1)), y(tf), List.of(), List.of(Tensor.scalar(7f)))
        .step(feeds(tf, 3, Tensor.scalar(-1)), y(tf), List.of(), List.of(Tensor.scalar(7f)))
        .step(feeds(tf, 3, Tensor.scalar(2)), y(tf), List.of(), List.of(Tensor.scalar(7f)));
  }

  /** Doubles while the value is under 100. */
  private static Script loop(String op) {
    return onX(
        3,
        192,
        function(
            "below",
            "x:float -> p:bool",
            "p=less:z:0",
            innerConst("limit", 100),
            inner("less", "Less", "x, limit:output:0", "T=float")),
        function("twice", "x:float -> y:float", "y=s:z:0", inner("s", "AddV2", "x, x", "T=float")),
        X,
        node("y", op, "x", "T=[float]", "cond=@below", "body=@twice"));
  }

  /** Adds 1, 2 and 3. */
  private static Script count() {
    return onX(
        3,
        9,
        function(
            "add",
            "i:int32, x:float -> y:float",
            "y=s:z:0",
            inner("f", "Cast", "i", "SrcT=int32", "DstT=float"),
            inner("s", "AddV2", "x, f:y:0", "T=float")),
        function("one", "-> y:int32", "y=k:output:0", innerInt("k", 1)),
        function("four", "-> y:int32", "y=k:output:0", innerInt("k", 4)),
        X,
        node("a", "PartitionedCall", "", "f=@one", "Tin=[]", "Tout=[int32]"),
        node("b", "PartitionedCall", "", "f=@four", "Tin=[]", "Tout=[int32]"),
        node("y", "For", "a, b, a, x", "T=[float]", "body=@add"));
  }

  private static Script fakeParam() {
    Ops tf = Ops.create();
    Output value =
        tf.scope()
            .operation("FakeParam")
            .attr("dtype", FLOAT)
            .attr("shape", Shape.of(2, 3))
            .buildOutput();
    return Script.on(tf).expect(tf.shape(value), Tensor.of(2, 3));
  }

  private static Script deviceIndex() {
    Ops tf = Ops.create();
    Output index =
        tf.scope()
            .operation("DeviceIndex")
            .attr("device_names", List.of("GPU", "CPU"))
            .buildOutput();
    return Script.on(tf).expect(index, Tensor.scalar(1));
  }

  private static Script onX(float x, float expected, String... parts) {
    Ops tf = ops(parts);
    return Script.on(tf)
        .step(
            Map.of(tf.graph().output("x:0"), Tensor.scalar(x)),
            y(tf),
            List.of(),
            List.of(Tensor.scalar(expected)));
  }

  private static Ops ops(String... parts) {
    return new Ops(FunctionGraphs.graph(parts).scope());
  }

  private static List<Output> y(Ops tf) {
    return List.of(tf.graph().output("y:0"));
  }

  private static Map<Output, Tensor> feeds(Ops tf, float x, Tensor p) {
    return Map.of(tf.graph().output("x:0"), Tensor.scalar(x), tf.graph().output("p:0"), p);
  }
}
