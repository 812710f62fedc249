package dev.tributary.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.plan.Pruner;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.DataFormat;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class FusionTest {
  private final Ops tf = Ops.create();
  private final Output x = floats(-1, 4);
  private final Output w = floats(4, 3);
  private final Output b = floats(3);
  private final Output image = floats(2, 5, 5, 2);
  private final Output filter = floats(3, 3, 2, 3);

  @Test
  void fuse_productAndBias_isOneNode() {
    StepNode fused = onlyFused(tf.biasAdd(tf.matMul(x, w), b));

    assertThat(fused.declaration().name()).isEqualTo("_FusedMatMul");
    assertThat(fused.attributes().strings("fused_ops")).containsExactly("BiasAdd");
    assertThat(fused.attributes().integer("num_args")).isEqualTo(1);
    assertThat(fused.name()).isEqualTo("BiasAdd");
    assertThat(fused.inputs()).hasSize(3);
  }

  @Test
  void fuse_eachActivation_isOneNode() {
    assertThat(fusedOps(tf::relu)).containsExactly("BiasAdd", "Relu");
    assertThat(fusedOps(tf.nn::relu6)).containsExactly("BiasAdd", "Relu6");
    assertThat(fusedOps(tf.nn::elu)).containsExactly("BiasAdd", "Elu");
    assertThat(fusedOps(tf::tanh)).containsExactly("BiasAdd", "Tanh");
  }

  @Test
  void fuse_otherFunction_staysBehind() {
    assertThat(fusedOps(tf.nn::softplus)).containsExactly("BiasAdd");
  }

  @Test
  void fuse_transposedProduct_staysTransposed() {
    Output product = tf.matMul(floats(4, -1), floats(3, 4), true, true);
    StepNode fused = onlyFused(tf.biasAdd(product, b));

    assertThat(fused.attributes().bool("transpose_a")).isTrue();
    assertThat(fused.attributes().bool("transpose_b")).isTrue();
  }

  @Test
  void fuse_convolutionBiasAndActivation_isOneNode() {
    Output conv = tf.conv2d(image, filter, 2, Padding.SAME);
    StepNode fused = onlyFused(tf.relu(tf.biasAdd(conv, b)));

    assertThat(fused.declaration().name()).isEqualTo("_FusedConv2D");
    assertThat(fused.attributes().strings("fused_ops")).containsExactly("BiasAdd", "Relu");
    assertThat(fused.attributes().integers("strides")).containsExactly(1, 2, 2, 1);
    assertThat(fused.attributes().types("TArgs")).containsExactly(DataType.FLOAT);
  }

  @Test
  void fuse_sumWithVectorOnEitherSide_countsAsBias() {
    assertThat(fusions(tf.add(tf.matMul(x, w), b))).isEqualTo(1);
    assertThat(onlyFused(tf.add(b, tf.matMul(x, w))).inputs().get(2).node().name())
        .isEqualTo(b.operation().name());
    assertThat(fusions(tf.add(tf.conv2d(image, filter, 1, Padding.SAME), b))).isEqualTo(1);
  }

  @Test
  void fuse_sumThatMayBroadcast_doesNotFire() {
    Output product = tf.matMul(x, w);
    assertThat(fusions(tf.add(product, floats(1)))).isZero();
    assertThat(fusions(tf.add(product, floats(-1)))).isZero();
    assertThat(fusions(tf.add(product, floats(1, 3)))).isZero();
    assertThat(fusions(tf.add(tf.matMul(x, floats(4, -1)), b))).isZero();
    assertThat(fusions(tf.add(tf.matMul(x, floats(4, 1)), b))).isZero();
  }

  @Test
  void fuse_sumOfTwoProducts_doesNotFire() {
    Output product = tf.matMul(x, w);
    assertThat(fusions(tf.add(product, product))).isZero();
    assertThat(fusions(tf.add(product, tf.matMul(x, floats(4, 3))))).isZero();
  }

  @Test
  void fuse_productWithAnotherConsumer_doesNotFire() {
    Output product = tf.matMul(x, w);
    assertThat(fusions(tf.biasAdd(product, b), product)).isZero();
    assertThat(fusions(tf.biasAdd(product, b), tf.neg(product))).isZero();
  }

  @Test
  void fuse_sumWithAnotherConsumer_leavesTheActivation() {
    Output sum = tf.biasAdd(tf.matMul(x, w), b);
    StepGraph graph = fused(tf.relu(sum), sum);

    assertThat(Steps.count(graph, "_FusedMatMul")).isEqualTo(1);
    assertThat(Steps.count(graph, "Relu")).isEqualTo(1);
  }

  @Test
  void fuse_controlEdgeOnTheWay_doesNotFire() {
    Output product = tf.matMul(x, w);
    Output after =
        tf.scope()
            .operation("BiasAdd")
            .input(product)
            .input(b)
            .controlInput(x.operation())
            .buildOutput();
    assertThat(fusions(after)).isZero();

    Output other = tf.matMul(x, w);
    Operation waiting =
        tf.scope().operation("Neg").input(x).controlInput(other.operation()).build();
    assertThat(fusions(tf.biasAdd(other, b), waiting.output(0))).isZero();
  }

  @Test
  void fuse_controlEdgesAtTheEnds_areKept() {
    Output product =
        tf.scope().operation("MatMul").input(x).input(w).controlInput(b.operation()).buildOutput();
    Output sum = tf.biasAdd(product, b);
    Operation waiting = tf.scope().operation("Neg").input(x).controlInput(sum.operation()).build();
    StepGraph graph = fused(sum, waiting.output(0));

    StepNode fused = node(graph, "_FusedMatMul");
    assertThat(fused.controlInputs())
        .extracting(StepNode::name)
        .containsExactly(b.operation().name());
    assertThat(node(graph, "Neg").controlInputs()).containsExactly(fused);
  }

  @Test
  void fuse_target_staysAsItIs() {
    Output sum = tf.biasAdd(tf.matMul(x, w), b);
    StepGraph graph =
        Pruner.prune(tf.graph(), new StepSignature(List.of(), List.of(), List.of(sum.operation())));

    assertThat(Fusion.run(graph)).isZero();
    WellFormed.require(graph);
  }

  @Test
  void fuse_otherDevice_doesNotFire() {
    StepGraph graph = Steps.fetching(tf.graph(), tf.biasAdd(tf.matMul(x, w), b));
    node(graph, "BiasAdd").place("/other");

    assertThat(Fusion.run(graph)).isZero();
  }

  @Test
  void fuse_otherImageFormat_doesNotFire() {
    Output conv = tf.conv2d(image, floats(3, 3, 2, 5), ConvOptions.of(1, Padding.SAME));
    assertThat(fusions(tf.biasAdd(conv, floats(5), DataFormat.NCHW))).isZero();
  }

  @Test
  void fuse_typeWithoutFusedKernel_doesNotFire() {
    Output left = tf.placeholder(DataType.DOUBLE, Shape.of(2, 4));
    Output right = tf.placeholder(DataType.DOUBLE, Shape.of(4, 3));
    Output bias = tf.placeholder(DataType.DOUBLE, Shape.of(3));
    assertThat(fusions(tf.biasAdd(tf.matMul(left, right), bias))).isZero();
  }

  private List<String> fusedOps(UnaryOperator<Output> function) {
    return onlyFused(function.apply(tf.biasAdd(tf.matMul(x, w), b)))
        .attributes()
        .strings("fused_ops");
  }

  private StepNode onlyFused(Output fetch) {
    List<StepNode> fused =
        fused(fetch).nodes().stream()
            .filter(n -> n.declaration().name().startsWith("_Fused"))
            .toList();
    assertThat(fused).hasSize(1);
    return fused.get(0);
  }

  private static StepNode node(StepGraph graph, String op) {
    return graph.nodes().stream()
        .filter(n -> n.declaration().name().equals(op))
        .findFirst()
        .orElseThrow();
  }

  private int fusions(Output... fetches) {
    StepGraph graph = Steps.fetching(tf.graph(), fetches);
    int fused = Fusion.run(graph);
    WellFormed.require(graph);
    return fused;
  }

  private StepGraph fused(Output... fetches) {
    StepGraph graph = Steps.fetching(tf.graph(), fetches);
    Fusion.run(graph);
    WellFormed.require(graph);
    return graph;
  }

  private Output floats(long... sizes) {
    return tf.placeholder(DataType.FLOAT, Shape.of(sizes));
  }
}
