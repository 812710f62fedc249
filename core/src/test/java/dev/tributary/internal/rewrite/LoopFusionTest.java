package dev.tributary.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Rewrite;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@NoLeaks
class LoopFusionTest {
  private static final Shape SHAPE = Shape.of(8, 16);

  private final Ops tf = Ops.create();
  private final Output x = tf.placeholder(DataType.FLOAT, SHAPE);

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @Test
  void run_chainAndItsBroadcastOperands_isOneNode() {
    Output row = tf.placeholder(DataType.FLOAT, Shape.of(16));
    Output column = tf.placeholder(DataType.FLOAT, Shape.of(8, 1));
    StepGraph graph = fetching(tf.mul(tf.sub(tf.sigmoid(x), column), tf.add(row, x)));

    assertThat(LoopFusion.run(graph)).isEqualTo(1);
    WellFormed.require(graph);
    StepNode fused = fused(graph);
    assertThat(fused.inputs()).hasSize(3);
    assertThat(fused.outputTypes()).hasSize(1);
    assertThat(Steps.count(graph, "Sigmoid")).isZero();
  }

  @Test
  void run_valuesThatOthersWant_areOutputs() {
    Output inner = tf.sigmoid(x);
    Output outer = tf.tanh(inner);
    StepGraph graph = fetching(tf.transpose(inner, 1, 0), tf.transpose(outer, 1, 0));

    assertThat(LoopFusion.run(graph)).isEqualTo(1);
    WellFormed.require(graph);
    assertThat(fused(graph).outputTypes()).hasSize(2);
  }

  @Test
  void run_sumOfTwoValuesOfOneShape_joins() {
    StepGraph graph = fetching(tf.tanh(tf.addN(List.of(tf.sigmoid(x), x))));

    assertThat(LoopFusion.run(graph)).isEqualTo(1);
    WellFormed.require(graph);
    assertThat(Steps.count(graph, "AddN")).isZero();
  }

  @Test
  void run_sumOfMoreOrOfUnknownShapes_staysOut() {
    Output unknown = tf.placeholder(DataType.FLOAT, Shape.of(-1, 16));
    for (Output sum :
        List.of(
            tf.addN(List.of(tf.sigmoid(x), x, x)),
            tf.addN(List.of(tf.sigmoid(unknown), unknown)))) {
      assertThat(fusions(tf.tanh(sum))).isZero();
    }
  }

  @Test
  void run_fewOrOtherElements_doesNotFire() {
    Output few = tf.placeholder(DataType.FLOAT, Shape.of(3, 4));
    Output doubles = tf.placeholder(DataType.DOUBLE, SHAPE);
    Output unknown = tf.placeholder(DataType.FLOAT, Shape.unknown());

    assertThat(fusions(tf.tanh(tf.neg(few)))).isZero();
    assertThat(fusions(tf.tanh(tf.neg(doubles)))).isZero();
    assertThat(fusions(tf.tanh(tf.neg(unknown)))).isZero();
  }

  @Test
  void run_otherShapeOrDeviceOrControlEdge_doesNotFire() {
    Output wide = tf.placeholder(DataType.FLOAT, Shape.of(3, 8, 16));
    Output inner = tf.neg(x);
    StepGraph apart = fetching(tf.tanh(inner));
    apart.nodes().stream()
        .filter(node -> node.declaration().name().equals("Tanh"))
        .forEach(node -> node.place("/other"));
    Operation before = tf.noOp();

    assertThat(LoopFusion.run(apart)).isZero();
    assertThat(fusions(tf.add(tf.neg(x), wide))).isZero();
    assertThat(fusions(tf.withControlDependencies(before).tanh(inner))).isZero();
    assertThat(fusions(tf.tanh(inner), tf.withControlDependencies(inner.operation()).constant(1f)))
        .isZero();
  }

  @Test
  void run_nodeBetweenTwoLoops_isNotEnclosed() {
    Output first = tf.neg(x);
    Output between = tf.matMul(first, tf.placeholder(DataType.FLOAT, Shape.of(16, 16)));
    StepGraph graph = fetching(tf.tanh(tf.add(first, tf.sigmoid(between))));

    assertThat(LoopFusion.run(graph)).isEqualTo(1);
    WellFormed.require(graph);
    assertThat(Steps.count(graph, "Neg")).isEqualTo(1);
  }

  @Test
  void run_longChain_isCutAndStaysWellFormed() {
    List<Output> values = new ArrayList<>(List.of(x, tf.neg(x)));
    for (int i = 0; i < 200; i++) {
      values.add(tf.add(values.get(values.size() - 1), values.get(values.size() / 2)));
    }
    StepGraph graph = fetching(values.get(values.size() - 1));

    assertThat(LoopFusion.run(graph)).isBetween(8, 30);
    WellFormed.require(graph);
  }

  @Test
  @Timeout(60)
  void run_valueThatArrivesLater_doesNotHoldUpOthers() {
    Queue queue = tf.queues.fifoQueue(QueueOptions.of(3, DataType.FLOAT).withShapes(SHAPE));
    Output sent = tf.neg(tf.sigmoid(x));
    Output received = queue.dequeue().get(0);
    Output sum = tf.add(tf.tanh(sent), received);
    Operation enqueue = queue.enqueue(sent);
    try (Tensor feed = noise(SHAPE);
        Session session = Session.local(tf.graph())) {
      try (StepResult result = session.runner().feed(x, feed).fetch(sum).target(enqueue).run()) {
        assertThat(result.get(0).shape()).isEqualTo(SHAPE);
      }
    }
  }

  @Test
  void step_branchNotTaken_leavesTheOtherValuesAlive() {
    Output taken = tf.placeholder(DataType.BOOL, Shape.scalar());
    Output before = tf.neg(x);
    Output result =
        tf.flow
            .cond(
                taken,
                yes -> List.of(yes.tanh(yes.sigmoid(yes.neg(before)))),
                no -> List.of(no.mul(no.add(before, x), x)))
            .get(0);
    for (boolean way : new boolean[] {true, false}) {
      try (Tensor feed = noise(SHAPE);
          Tensor choice = Tensor.of(Shape.scalar(), new boolean[] {way})) {
        requireSame(Map.of(x, feed, taken, choice), tf.tanh(result), tf.neg(before));
      }
    }
  }

  @Test
  void step_loopAndItsGradient_giveTheSame() {
    Output weights = tf.placeholder(DataType.FLOAT, Shape.of(16, 16));
    Output last = repeated(weights);
    Output gradient = Gradients.dense(tf, tf.mean(tf.square(last)), List.of(x)).get(0);
    try (Tensor feed = noise(SHAPE);
        Tensor square = noise(Shape.of(16, 16))) {
      requireSame(Map.of(x, feed, weights, square), last, gradient);
    }
  }

  @Test
  void run_gradientOfLoop_fusesBehindTheValuesOfAllStacks() {
    Output last = repeated(tf.placeholder(DataType.FLOAT, Shape.of(16, 16)));
    StepGraph graph = fetching(Gradients.dense(tf, tf.mean(tf.square(last)), List.of(x)).get(0));

    LoopFusion.run(graph);
    WellFormed.require(graph);
    assertThat(Steps.count(graph, "TanhGrad")).isZero();
  }

  private Output repeated(Output weights) {
    return tf.flow
        .whileLoop(
            List.of(tf.constant(0), x),
            (cond, state) -> cond.less(state.get(0), cond.constant(4)),
            (body, state) -> {
              Output sum = body.add(body.matMul(state.get(1), weights), x);
              Output gate = body.sigmoid(sum);
              return List.of(
                  body.add(state.get(0), body.constant(1)),
                  body.mul(gate, body.tanh(body.add(sum, gate))));
            })
        .get(1);
  }

  @Test
  void step_otherShapesThanTheGraphKnows_givesTheSame() {
    Output left = tf.placeholder(DataType.FLOAT, Shape.of(-1, 128));
    Output right = tf.placeholder(DataType.FLOAT, Shape.of(-1, 128));
    Output inner = tf.neg(left);
    Output sum = tf.add(tf.tanh(inner), right);
    for (int rows : new int[] {0, 1, 3}) {
      try (Tensor one = noise(Shape.of(1, 128));
          Tensor many = noise(Shape.of(rows, 128))) {
        requireSame(Map.of(left, one, right, many), sum, tf.transpose(inner, 1, 0));
      }
    }
  }

  /** With all rewrites and without this one, to the last bit. */
  private void requireSame(Map<Output, Tensor> feeds, Output... fetches) {
    assertThat(values(SessionOptions.defaults(), feeds, fetches))
        .isEqualTo(values(SessionOptions.defaults().without(Rewrite.FUSION), feeds, fetches));
  }

  private List<List<Float>> values(
      SessionOptions options, Map<Output, Tensor> feeds, Output... fetches) {
    List<List<Float>> all = new ArrayList<>();
    try (Session session = Session.local(tf.graph(), options);
        StepResult result = session.run(feeds, List.of(fetches), List.of())) {
      for (Tensor tensor : result) {
        List<Float> values = new ArrayList<>();
        for (float value : tensor.toFloats()) {
          values.add(value);
        }
        all.add(values);
      }
    }
    return all;
  }

  private int fusions(Output... fetches) {
    StepGraph graph = fetching(fetches);
    int fused = LoopFusion.run(graph);
    WellFormed.require(graph);
    return fused;
  }

  /** The fetched values are the graph's roots, and so never fused: each gets a node behind it. */
  private StepGraph fetching(Output... fetches) {
    List<Output> behind = new ArrayList<>();
    for (Output fetch : fetches) {
      behind.add(tf.shape(fetch));
    }
    return Steps.fetching(tf.graph(), behind.toArray(new Output[0]));
  }

  private static StepNode fused(StepGraph graph) {
    return graph.nodes().stream()
        .filter(node -> node.declaration().name().equals("_FusedLoops"))
        .findFirst()
        .orElseThrow();
  }

  private static Tensor noise(Shape shape) {
    Random random = new Random(7);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Tensor.of(shape, values);
  }
}
