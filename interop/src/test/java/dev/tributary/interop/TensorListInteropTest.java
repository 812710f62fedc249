package dev.tributary.interop;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.testing.FunctionGraphs.function;
import static dev.tributary.testing.FunctionGraphs.inner;
import static dev.tributary.testing.FunctionGraphs.innerInt;
import static dev.tributary.testing.FunctionGraphs.node;
import static dev.tributary.testing.FunctionGraphs.placeholder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.TributaryException;
import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.interop.Clusters.Mix;
import dev.tributary.interop.TestCluster.Task;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.FunctionGraphs;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.GraphDef;

/**
 * Lists in loops as TensorFlow 2 writes them, here and in stock, and in clusters of both. What each
 * op gives is compared by {@code StockValuesTest}.
 */
@RequiresStockTensorFlow
@Timeout(120)
class TensorListInteropTest {
  private static final float[] X = {0.5f, -1, 2, 0.25f, 1};

  /** How stock runs a functional loop; we lower all. */
  enum Form {
    LOWERED,
    KERNEL
  }

  /** A recurrent network: h = tanh(h * w + x[i]); all h are kept. */
  private static final String NETWORK =
      function(
              "more",
              "i:int32, n:int32, h:float, out:variant, in:variant, w:float -> p:bool",
              "p=less:z:0",
              inner("less", "Less", "i, n", "T=int32"))
          + function(
              "step",
              "i:int32, n:int32, h:float, out:variant, in:variant, w:float"
                  + " -> i2:int32, n2:int32, h2:float, out2:variant, in2:variant, w2:float",
              "i2=next:z:0, n2=n, h2=tanh:y:0, out2=set:output_handle:0, in2=in, w2=w",
              innerInt("one", 1),
              innerInt("any", -1),
              inner("next", "AddV2", "i, one:output:0", "T=int32"),
              inner("x", "TensorListGetItem", "in, i, any:output:0", "element_dtype=float"),
              inner("mul", "Mul", "h, w", "T=float"),
              inner("sum", "AddV2", "mul:z:0, x:item:0", "T=float"),
              inner("tanh", "Tanh", "sum:z:0", "T=float"),
              inner("set", "TensorListSetItem", "out, i, tanh:y:0", "element_dtype=float"));

  private static final String[] NETWORK_NODES = {
    placeholder("x", "float"),
    placeholder("w", "float"),
    constant("any", -1),
    constant("zero", 0),
    constant("five", 5),
    node("in", "TensorListFromTensor", "x, any", "element_dtype=float", "shape_type=int32"),
    node("out", "TensorListReserve", "any, five", "element_dtype=float", "shape_type=int32"),
    node(
        "loop",
        "StatelessWhile",
        "zero, five, w, out, in, w",
        "T=[int32, int32, float, variant, variant, float]",
        "cond=@more",
        "body=@step",
        "_lower_using_switch_merge=true"),
    node("y", "TensorListStack", "loop:3, any", "element_dtype=float"),
    node("length", "TensorListLength", "loop:3")
  };

  /**
   * A loop and its gradient as TensorFlow 2 writes them: the forward loop pushes what the backward
   * loop pops. y = x * w^3.
   */
  private static final String POWER =
      function(
              "below",
              "i:int32, n:int32, h:float, w:float, kept:variant -> p:bool",
              "p=less:z:0",
              inner("less", "Less", "i, n", "T=int32"))
          + function(
              "forward",
              "i:int32, n:int32, h:float, w:float, kept:variant"
                  + " -> i2:int32, n2:int32, h2:float, w2:float, kept2:variant",
              "i2=next:z:0, n2=n, h2=mul:z:0, w2=w, kept2=push:output_handle:0",
              innerInt("one", 1),
              inner("next", "AddV2", "i, one:output:0", "T=int32"),
              inner("push", "TensorListPushBack", "kept, h", "element_dtype=float"),
              inner("mul", "Mul", "h, w", "T=float"))
          + function(
              "left",
              "i:int32, n:int32, dh:float, dw:float, kept:variant, w:float -> p:bool",
              "p=less:z:0",
              inner("less", "Less", "i, n", "T=int32"))
          + function(
              "backward",
              "i:int32, n:int32, dh:float, dw:float, kept:variant, w:float"
                  + " -> i2:int32, n2:int32, dh2:float, dw2:float, kept2:variant, w2:float",
              "i2=next:z:0, n2=n, dh2=mul:z:0, dw2=sum:z:0, kept2=pop:output_handle:0, w2=w",
              innerInt("one", 1),
              innerInt("any", -1),
              inner("next", "AddV2", "i, one:output:0", "T=int32"),
              inner("pop", "TensorListPopBack", "kept, any:output:0", "element_dtype=float"),
              inner("mul", "Mul", "dh, w", "T=float"),
              inner("share", "Mul", "dh, pop:tensor:0", "T=float"),
              inner("sum", "AddV2", "dw, share:z:0", "T=float"));

  private static final String[] POWER_NODES = {
    placeholder("x", "float"),
    placeholder("w", "float"),
    constant("any", -1),
    constant("zero", 0),
    constant("three", 3),
    node("kept", "EmptyTensorList", "any, three", "element_dtype=float", "shape_type=int32"),
    node(
        "y",
        "While",
        "zero, three, x, w, kept",
        "T=[int32, int32, float, float, variant]",
        "cond=@below",
        "body=@forward",
        "_lower_using_switch_merge=true"),
    node("ones", "OnesLike", "y:2", "T=float"),
    node("zeros", "ZerosLike", "w", "T=float"),
    node(
        "g",
        "While",
        "zero, y, ones, zeros, y:4, w",
        "T=[int32, int32, float, float, variant, float]",
        "cond=@left",
        "body=@backward",
        "_lower_using_switch_merge=true")
  };

  @ParameterizedTest
  @EnumSource
  void network_inALoop_givesStocksValues(Form form) {
    GraphDef def = in(form, FunctionGraphs.def(NETWORK, String.join("", NETWORK_NODES)));

    float[] wanted = new float[X.length];
    float h = 0.7f;
    for (int i = 0; i < X.length; i++) {
      h = (float) Math.tanh(h * 0.7f + X[i]);
      wanted[i] = h;
    }
    assertClose(stock(def, "y:0"), wanted);
    assertClose(here(def, "y:0"), wanted);
    assertThat(here(def, "length:0")).containsExactly(stock(def, "length:0"));
  }

  @Test
  void network_differentiated_givesTheSlopeHereAndInStock() {
    try (Graph graph = FunctionGraphs.graph(NETWORK, String.join("", NETWORK_NODES))) {
      List<Output> slopes =
          Gradients.of(graph.output("y:0"), List.of(graph.output("x:0"), graph.output("w:0")))
              .stream()
              .map(Output.class::cast)
              .toList();
      GraphDef def = GraphDefs.toProto(graph);

      float[] ofX = slopes();
      assertClose(here(def, slopes.get(0).name()), ofX);
      assertClose(stock(def, slopes.get(0).name()), ofX);
      assertClose(here(def, slopes.get(1).name()), stock(def, slopes.get(1).name()));
    }
  }

  /** Of the sum of all h, for each x. */
  private static float[] slopes() {
    double[] h = new double[X.length + 1];
    h[0] = 0.7f;
    for (int i = 0; i < X.length; i++) {
      h[i + 1] = Math.tanh(h[i] * 0.7f + X[i]);
    }
    float[] slopes = new float[X.length];
    double later = 0;
    for (int i = X.length - 1; i >= 0; i--) {
      double ofSum = (1 + later) * (1 - h[i + 1] * h[i + 1]);
      slopes[i] = (float) ofSum;
      later = ofSum * 0.7f;
    }
    return slopes;
  }

  @ParameterizedTest
  @EnumSource
  void loopWithAccumulator_andItsGradientLoop_giveStocksValues(Form form) {
    GraphDef def = in(form, FunctionGraphs.def(POWER, String.join("", POWER_NODES)));

    try (Tensor x = Tensor.scalar(2f)) {
      for (String fetch : List.of("y:2", "g:2", "g:3")) {
        assertThat(here(def, x, fetch)).as(fetch).isEqualTo(stock(def, x, fetch));
      }
      assertClose(here(def, x, "g:3"), new float[] {3 * 2 * 0.7f * 0.7f});
    }
  }

  // ---- errors ----

  static Stream<Function<Ops, Output>> mistakes() {
    return Stream.of(
        tf -> length(tf, tf.lists.setItem(list(tf), tf.constant(2), tf.constant(1f))),
        tf -> get(tf, list(tf), 2, Shape.scalar()),
        tf -> get(tf, list(tf), -1, Shape.scalar()),
        tf -> get(tf, unset(tf), 0, Shape.unknown()),
        tf -> tf.lists.popBack(unset(tf), FLOAT, Shape.unknown()).get(1),
        tf -> tf.lists.popBack(tf.lists.empty(FLOAT, Shape.scalar()), FLOAT, Shape.scalar()).get(1),
        tf -> tf.lists.stack(unset(tf), FLOAT, Shape.of(-1)),
        tf -> tf.lists.stack(tf.lists.empty(FLOAT, Shape.of(-1)), FLOAT, Shape.of(-1)),
        tf -> length(tf, tf.lists.resize(list(tf), tf.constant(-1))),
        tf -> length(tf, tf.lists.reserve(FLOAT, Shape.scalar(), tf.constant(-1))),
        tf -> tf.lists.gather(list(tf), tf.constant(0, 2), FLOAT, Shape.scalar()),
        tf -> length(tf, tf.lists.pushBack(list(tf), hidden(tf, tf.constant(1f, 2f)))),
        tf -> length(tf, tf.lists.split(tf.constant(1f, 2f, 3f), tf.constant(1L, 1L))),
        tf -> length(tf, tf.lists.split(tf.constant(1f, 2f, 3f), tf.constant(4L, -1L))),
        tf ->
            length(tf, tf.lists.scatter(list(tf), tf.constant(1f, 2f), tf.constant(new int[] {0}))),
        tf -> length(tf, tf.lists.fromTensor(hidden(tf, tf.constant(1f)))),
        tf -> tf.lists.concat(unset(tf), FLOAT, Shape.unknown()),
        tf -> length(tf, tf.addN(List.of(list(tf), unsetOf(tf, 3)))),
        tf -> tf.lists.stack(none(tf), FLOAT, Shape.scalar()),
        tf ->
            tf.scope()
                .operation("OptionalGetValue")
                .input(none(tf))
                .attr("output_types", AttrValue.ofTypes(List.of(INT32)))
                .attr("output_shapes", AttrValue.ofShapes(List.of(Shape.scalar())))
                .buildOutput());
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void code_ofAMistake_isStocks(Function<Ops, Output> mistake) {
    Ops tf = Ops.create();
    try (Graph graph = tf.graph()) {
      Output fetch = mistake.apply(tf);
      TributaryException ours;
      try (Session session = Session.local(graph)) {
        ours =
            catchThrowableOfType(
                TributaryException.class, () -> session.runner().fetch(fetch).run().close());
      }
      StockException stock =
          catchThrowableOfType(
              StockException.class,
              () -> {
                try (StockSession session = new StockSession(GraphDefs.toProto(graph))) {
                  session.run(Map.of(), List.of(fetch.name()), List.of());
                }
              });
      assertThat(stock).as("stock gives a result, we say %s", ours).isNotNull();
      assertThat(ours.code()).as("%s", stock).isEqualTo(stock.code());
    }
  }

  private static Output list(Ops tf) {
    return tf.lists.fromTensor(tf.constant(1f, 2f));
  }

  private static Output unset(Ops tf) {
    return tf.lists.reserve(FLOAT, Shape.of(-1), tf.constant(2));
  }

  private static Output unsetOf(Ops tf, int size) {
    return tf.lists.reserve(FLOAT, Shape.scalar(), tf.constant(size));
  }

  private static Output none(Ops tf) {
    return tf.scope().operation("OptionalNone").buildOutput();
  }

  private static Output length(Ops tf, Output list) {
    return tf.lists.length(list);
  }

  private static Output get(Ops tf, Output list, int index, Shape shape) {
    return tf.lists.getItem(list, tf.constant(index), FLOAT, shape);
  }

  private static Output hidden(Ops tf, Output value) {
    return tf.scope()
        .operation("PlaceholderWithDefault")
        .input(value)
        .attr("shape", Shape.unknown())
        .buildOutput();
  }

  // ---- clusters ----

  static Stream<Arguments> settings() {
    return Stream.of(Mix.values())
        .flatMap(mix -> Stream.of(ClusterClient.Kind.values()).map(c -> Arguments.of(mix, c)));
  }

  /** Lists of numbers, of strings and of lists, optionals too, go from task to task and back. */
  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void cluster_ofAnyMix_passesListsBetweenItsTasks(Mix mix, ClusterClient.Kind kind)
      throws Exception {
    Ops tf = Ops.create();
    Ops ps = tf.withDevice("/job:ps/task:0");
    Ops worker = tf.withDevice("/job:worker/task:0");
    Output made = ps.lists.resize(ps.lists.fromTensor(ps.constant(1f, 2f, 3f)), ps.constant(4));
    Output changed = worker.lists.setItem(made, worker.constant(1), worker.constant(7f));
    Output back = ps.lists.pushBack(changed, ps.constant(9f));
    Output numbers = ps.withName("numbers").lists.stack(back, FLOAT, Shape.unknown());

    Output words =
        ps.lists.pushBack(ps.lists.empty(DataType.STRING, Shape.scalar()), ps.constant("a"));
    Output nested = ps.lists.pushBack(ps.lists.empty(DataType.VARIANT, Shape.scalar()), words);
    Output inner =
        worker.lists.getItem(nested, worker.constant(0), DataType.VARIANT, Shape.scalar());
    Output word =
        worker
            .withName("word")
            .lists
            .getItem(inner, worker.constant(0), DataType.STRING, Shape.scalar());
    Output optional =
        ps.scope().operation("OptionalFromValue").inputList(List.of(numbers)).buildOutput();
    worker.withName("has").scope().operation("OptionalHasValue").input(optional).buildOutput();
    try (Graph graph = tf.graph();
        ClusterClient client =
            kind.open(GraphDefs.toProto(graph), Clusters.of(mix).target(Task.WORKER_0))) {
      List<Tensor> values =
          client.run(Map.of(), List.of("numbers:0", word.name(), "has:0"), List.of());

      assertThat(values.get(0).toFloats()).containsExactly(1, 7, 3, 0, 9);
      assertThat(values.get(1).stringValue()).isEqualTo("a");
      assertThat(values.get(2).booleanValue()).isTrue();
      values.forEach(Tensor::close);
    }
  }

  /** The body of the loop reads on one task and writes on another. */
  @ParameterizedTest(name = "{0}, {1} client")
  @MethodSource("settings")
  void cluster_ofAnyMix_runsALoopWithLists(Mix mix, ClusterClient.Kind kind) throws Exception {
    GraphDef def =
        FunctionGraphs.def(
            NETWORK.replace(
                "name: 'x' op: 'TensorListGetItem'",
                "name: 'x' device: '/job:ps/task:0' op: 'TensorListGetItem'"),
            String.join("", NETWORK_NODES));
    try (ClusterClient client = kind.open(def, Clusters.of(mix).target(Task.WORKER_0));
        Tensor x = Tensor.of(X);
        Tensor w = Tensor.scalar(0.7f)) {
      List<Tensor> values = client.run(Map.of("x:0", x, "w:0", w), List.of("y:0"), List.of());

      assertClose(values.get(0).toFloats(), stock(def(), "y:0"));
      values.forEach(Tensor::close);
    }
  }

  private static GraphDef def() {
    return FunctionGraphs.def(NETWORK, String.join("", NETWORK_NODES));
  }

  // ---- running ----

  private static String constant(String name, int value) {
    return innerInt(name, value).replace("node_def", "node");
  }

  private static GraphDef in(Form form, GraphDef lowered) {
    GraphDef.Builder def = lowered.toBuilder();
    if (form == Form.KERNEL) {
      def.getNodeBuilderList().forEach(n -> n.removeAttr("_lower_using_switch_merge"));
    }
    return def.build();
  }

  private static float[] stock(GraphDef def, String fetch) {
    try (Tensor x = Tensor.of(X)) {
      return stock(def, x, fetch);
    }
  }

  private static float[] here(GraphDef def, String fetch) {
    try (Tensor x = Tensor.of(X)) {
      return here(def, x, fetch);
    }
  }

  private static float[] stock(GraphDef def, Tensor x, String fetch) {
    try (StockSession session = new StockSession(def);
        Tensor w = Tensor.scalar(0.7f);
        Tensor got = session.run(Map.of("x:0", x, "w:0", w), List.of(fetch), List.of()).get(0)) {
      return toFloats(got);
    }
  }

  private static float[] here(GraphDef def, Tensor x, String fetch) {
    try (Graph graph = new Graph(Ops.registry())) {
      GraphDefs.importInto(graph, def);
      try (Session session = Session.local(graph);
          Tensor w = Tensor.scalar(0.7f);
          StepResult got = session.runner().feed("x:0", x).feed("w:0", w).fetch(fetch).run()) {
        return toFloats(got.get(0));
      }
    }
  }

  private static float[] toFloats(Tensor tensor) {
    return tensor.type() == INT32 ? new float[] {tensor.intValue()} : tensor.toFloats();
  }

  private static void assertClose(float[] got, float[] wanted) {
    assertThat(got).containsExactly(wanted, Offset.offset(1e-5f));
  }
}
