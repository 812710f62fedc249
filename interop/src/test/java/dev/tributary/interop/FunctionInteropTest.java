package dev.tributary.interop;

import static dev.tributary.testing.FunctionGraphs.call;
import static dev.tributary.testing.FunctionGraphs.controlRet;
import static dev.tributary.testing.FunctionGraphs.function;
import static dev.tributary.testing.FunctionGraphs.inner;
import static dev.tributary.testing.FunctionGraphs.innerConst;
import static dev.tributary.testing.FunctionGraphs.innerInt;
import static dev.tributary.testing.FunctionGraphs.node;
import static dev.tributary.testing.FunctionGraphs.placeholder;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.interop.Clusters.Mix;
import dev.tributary.interop.TestCluster.Task;
import dev.tributary.ops.GraphFunction;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.FunctionGraphs;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.GraphDef;

/** Functions give the same values here and in stock, and in clusters of both. */
@RequiresStockTensorFlow
@Timeout(120)
class FunctionInteropTest {
  private static final String X = placeholder("x", "float");
  private static final String SQUARE =
      function("square", "x:float -> y:float", "y=mul:z:0", inner("mul", "Mul", "x, x", "T=float"));
  private static final String WAVE =
      function(
          "wave",
          "x:float -> y:float",
          "y=m:z:0",
          inner("c", "PartitionedCall", "x", "f=@square", "Tin=[float]", "Tout=[float]"),
          inner("s", "Sin", "x", "T=float"),
          innerConst("k", 3),
          inner("a", "Mul", "c:output:0, k:output:0", "T=float"),
          inner("m", "Mul", "a:z:0, s:y:0", "T=float"));
  private static final String FLAT_WAVE =
      function(
          "flat_wave",
          "x:float -> y:float",
          "y=m:z:0",
          inner("c", "Mul", "x, x", "T=float"),
          inner("s", "Sin", "x", "T=float"),
          innerConst("k", 3),
          inner("a", "Mul", "c:z:0, k:output:0", "T=float"),
          inner("m", "Mul", "a:z:0, s:y:0", "T=float"));
  private static final String LOOP =
      function(
              "below",
              "i:int32, y:float, x:float -> p:bool",
              "p=less:z:0",
              innerInt("four", 4),
              inner("less", "Less", "i, four:output:0", "T=int32"))
          + function(
              "step",
              "i:int32, y:float, x:float -> j:int32, z:float, w:float",
              "j=next:z:0, z=mul:z:0, w=x",
              innerInt("one", 1),
              inner("next", "AddV2", "i, one:output:0", "T=int32"),
              inner("mul", "Mul", "y, x", "T=float"))
          + function("zero", "-> y:int32", "y=k:output:0", innerInt("k", 0));
  private static final String[] LOOP_NODES = {
    node("zero", "PartitionedCall", "", "f=@zero", "Tin=[]", "Tout=[int32]"),
    node(
        "w",
        "StatelessWhile",
        "zero, x, x",
        "T=[int32, float, float]",
        "cond=@below",
        "body=@step",
        "_lower_using_switch_merge=true")
  };

  @Test
  void calls_nestedAndNative_giveStocksValues() {
    requireAlike(
        new float[] {0.5f, -2},
        List.of("c:0", "n:0"),
        FunctionGraphs.def(SQUARE, WAVE, X, call("c", "wave", "x"), node("n", "wave", "x")));
  }

  @Test
  void loop_loweredOrNot_givesStocksValues() {
    GraphDef lowered = FunctionGraphs.def(LOOP, X, String.join("", LOOP_NODES));
    requireAlike(new float[] {1.5f, -2}, List.of("w:0", "w:1", "w:2"), lowered);
    GraphDef.Builder kernel = lowered.toBuilder();
    kernel.getNodeBuilderList().forEach(n -> n.removeAttr("_lower_using_switch_merge"));
    requireAlike(new float[] {1.5f, -2}, List.of("w:0", "w:1", "w:2"), kernel.build());
  }

  /** Stock's own gradient of a function against ours, of the op and of the graph. */
  @Test
  void gradient_ofACall_isThatOfStocksSymbolicGradient() {
    Graph graph =
        FunctionGraphs.graph(
            FLAT_WAVE,
            X,
            call("c", "flat_wave", "x"),
            node("dy", "OnesLike", "x", "T=float"),
            node(
                "g",
                "SymbolicGradient",
                "x, dy",
                "f=@flat_wave",
                "Tin=[float, float]",
                "Tout=[float]"));
    try (graph) {
      GraphDef def = GraphDefs.toProto(graph);
      Output dx = (Output) Gradients.of(graph.output("c:0"), List.of(graph.output("x:0"))).get(0);
      requireAlike(new float[] {0.5f, -2}, List.of("g:0"), def);
      for (float x : new float[] {0.5f, -2}) {
        float wanted = stock(def, x, "g:0");
        assertThat(here(graph, x, dx.name())).isCloseTo(wanted, tolerance(wanted));
        assertThat(stock(GraphDefs.toProto(graph), x, dx.name()))
            .isCloseTo(wanted, tolerance(wanted));
      }
    }
  }

  @Test
  void gradient_ofALoop_runsInStockToo() {
    try (Graph graph = FunctionGraphs.graph(LOOP, X, String.join("", LOOP_NODES))) {
      Output dx = (Output) Gradients.of(graph.output("w:1"), List.of(graph.output("x:0"))).get(0);

      assertThat(here(graph, 2, dx.name())).isEqualTo(5 * 16);
      assertThat(stock(GraphDefs.toProto(graph), 2, dx.name())).isEqualTo(5 * 16);
    }
  }

  @Test
  void tracedFunction_withGradient_runsInStock() {
    Ops tf = Ops.create();
    Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.scalar());
    Output k = tf.square(x);
    GraphFunction f = tf.function("f", (g, args) -> List.of(g.mul(g.math.sin(args.get(0)), k)));
    Output y = tf.withName("c").call(f, x).get(0);
    try (Graph graph = tf.graph()) {
      GraphDef before = GraphDefs.toProto(graph);
      requireAlike(new float[] {0.5f, -2}, List.of(y.name()), before);
      Output dx = (Output) Gradients.of(y, List.of(x)).get(0);
      requireAlike(new float[] {0.5f, -2}, List.of(y.name(), dx.name()), GraphDefs.toProto(graph));
    }
  }

  // ---- clusters ----

  static Stream<Arguments> settings() {
    return Stream.of(Mix.values())
        .flatMap(mix -> Stream.of(ClusterClient.Kind.values()).map(c -> Arguments.of(mix, c)));
  }

  private static final String PS = "device=/job:ps/task:0";

  /** A master of either kind leaves some calls to its workers, among them those not to inline. */
  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void cluster_ofAnyMix_runsCallsBranchesAndLoops(Mix mix, ClusterClient.Kind kind)
      throws Exception {
    String kept =
        SQUARE
            .replace("'square'", "'kept'")
            .replace("signature {", "attr { key: '_noinline' value { b: true } } signature {");
    String count =
        function(
            "count",
            "v:resource, x:float -> y:float",
            "y=read:value:0",
            inner("add", "AssignAddVariableOp", "v, x", "dtype=float"),
            inner("read", "ReadVariableOp", "v, ^add", "dtype=float"),
            controlRet("add", "add"));
    String name = "functions_" + mix + "_" + kind;
    GraphDef graph =
        FunctionGraphs.def(
            SQUARE,
            WAVE,
            LOOP,
            kept,
            count,
            X,
            String.join("", LOOP_NODES),
            node("k", "PartitionedCall", "x", "f=@kept", "Tin=[float]", "Tout=[float]", PS),
            node("n", "wave", "k", PS),
            node("zeros", "ZerosLike", "x", "T=float"),
            node("p", "Greater", "x, zeros", "T=float"),
            node(
                "i",
                "If",
                "p, x",
                "Tcond=bool",
                "Tin=[float]",
                "Tout=[float]",
                "then_branch=@square",
                "else_branch=@wave",
                "_lower_using_switch_merge=true"),
            node(
                "v",
                "VarHandleOp",
                "",
                "dtype=float",
                "shape=()",
                "shared_name='" + name + "'",
                PS),
            node("init", "AssignVariableOp", "v, x", "dtype=float"),
            node(
                "c",
                "StatefulPartitionedCall",
                "v, x",
                "f=@count",
                "Tin=[resource, float]",
                "Tout=[float]",
                PS));
    List<String> fetches = List.of("k:0", "n:0", "i:0", "w:1");
    try (ClusterClient client = kind.open(graph, Clusters.of(mix).target(Task.WORKER_0));
        Tensor x = Tensor.scalar(2f)) {
      Map<String, Tensor> feeds = Map.of("x:0", x);
      List<Tensor> values = client.run(feeds, fetches, List.of());
      client.run(feeds, List.of(), List.of("init"));
      List<Tensor> counted = client.run(feeds, List.of("c:0"), List.of());
      List<Tensor> again = client.run(feeds, List.of("c:0"), List.of());

      double wave = 3 * 16 * Math.sin(4);
      assertThat(values.get(0).floatValue()).isEqualTo(4);
      assertThat(values.get(1).floatValue()).isCloseTo((float) wave, tolerance((float) wave));
      assertThat(values.get(2).floatValue()).isEqualTo(4);
      assertThat(values.get(3).floatValue()).isEqualTo(32);
      assertThat(counted.get(0).floatValue()).isEqualTo(4);
      assertThat(again.get(0).floatValue()).isEqualTo(6);
      Stream.of(values, counted, again).flatMap(List::stream).forEach(Tensor::close);
    }
  }

  private static org.assertj.core.data.Offset<Float> tolerance(float value) {
    return org.assertj.core.data.Offset.offset(1e-5f * Math.max(1, Math.abs(value)));
  }

  private static void requireAlike(float[] xs, List<String> fetches, GraphDef def) {
    try (Graph graph = new Graph(Ops.registry())) {
      GraphDefs.importInto(graph, def);
      for (float x : xs) {
        for (String fetch : fetches) {
          try (Tensor wanted = stockTensor(def, x, fetch);
              Session session = Session.local(graph);
              Tensor fed = Tensor.scalar(x);
              StepResult result = session.runner().feed("x:0", fed).fetch(fetch).run()) {
            dev.tributary.optable.TensorCompare.requireEqual(
                fetch + " at " + x, List.of(result.get(0)), List.of(wanted), type -> 1e-5);
          }
        }
      }
    }
  }

  private static Tensor stockTensor(GraphDef def, float x, String fetch) {
    try (StockSession stock = new StockSession(def);
        Tensor fed = Tensor.scalar(x)) {
      return stock.run(Map.of("x:0", fed), List.of(fetch), List.of()).get(0);
    }
  }

  private static float stock(GraphDef def, float x, String fetch) {
    try (Tensor value = stockTensor(def, x, fetch)) {
      return value.floatValue();
    }
  }

  private static float here(Graph graph, float x, String fetch) {
    try (Session session = Session.local(graph);
        Tensor fed = Tensor.scalar(x);
        StepResult result = session.runner().feed("x:0", fed).fetch(fetch).run()) {
      return result.get(0).floatValue();
    }
  }
}
