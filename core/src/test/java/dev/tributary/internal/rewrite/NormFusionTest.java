package dev.tributary.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.DataFormat;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

class NormFusionTest {
  private final Ops tf = Ops.create();
  private final Output image = floats(2, 5, 5, 3);
  private final Output conv = tf.conv2d(image, floats(3, 3, 3, 3), 2, Padding.SAME);

  @Test
  void fuse_convolutionNormAndActivation_isOneNode() {
    StepNode fused = onlyFused(tf.nn.relu6(norm(conv)));

    assertThat(fused.declaration().name()).isEqualTo("_NormalizedConv2D");
    assertThat(fused.name()).isEqualTo("Relu6");
    assertThat(fused.attributes().string("activation")).isEqualTo("Relu6");
    assertThat(fused.attributes().real("epsilon")).isEqualTo(0.5f);
    assertThat(fused.attributes().integers("strides")).containsExactly(1, 2, 2, 1);
    assertThat(fused.inputs()).hasSize(6);
  }

  @Test
  void fuse_depthwiseConvolution_isOneNode() {
    StepNode fused =
        onlyFused(norm(tf.nn.depthwiseConv2d(image, floats(3, 3, 3, 1), 1, Padding.SAME)));

    assertThat(fused.declaration().name()).isEqualTo("_NormalizedDepthwiseConv2dNative");
    assertThat(fused.attributes().string("activation")).isEmpty();
  }

  @Test
  void fuse_normWithAnotherConsumer_leavesTheActivation() {
    Output normal = norm(conv);
    StepGraph graph = Steps.fetching(tf.graph(), tf.relu(normal), normal);

    assertThat(NormFusion.run(graph)).isEqualTo(1);
    assertThat(Steps.count(graph, "Relu")).isEqualTo(1);
  }

  @Test
  void fuse_convolutionOrStatisticsWanted_doesNotFire() {
    Output normal = norm(conv);

    assertThat(fusions(normal, conv)).isZero();
    assertThat(fusions(normal, tf.neg(conv))).isZero();
    assertThat(fusions(normal, normal.operation().output(1))).isZero();
  }

  @Test
  void fuse_statisticsOfTheBatch_doNotFire() {
    assertThat(fusions(tf.nn.fusedBatchNorm(conv, floats(3), floats(3), 0.5f).y())).isZero();
  }

  @Test
  void fuse_otherImageFormat_doesNotFire() {
    Output first = tf.conv2d(image, floats(3, 3, 3, 3), ConvOptions.of(1, Padding.SAME));
    Output normal =
        tf.nn.fusedBatchNormInference(
            first, floats(5), floats(5), floats(5), floats(5), 0.5f, DataFormat.NCHW);
    assertThat(fusions(normal)).isZero();
  }

  private Output norm(Output x) {
    return tf.nn.fusedBatchNormInference(x, floats(3), floats(3), floats(3), floats(3), 0.5f);
  }

  private StepNode onlyFused(Output fetch) {
    StepGraph graph = Steps.fetching(tf.graph(), fetch);
    assertThat(NormFusion.run(graph)).isEqualTo(1);
    WellFormed.require(graph);
    List<StepNode> fused =
        graph.nodes().stream()
            .filter(n -> n.declaration().name().startsWith("_Normalized"))
            .toList();
    assertThat(fused).hasSize(1);
    return fused.get(0);
  }

  private int fusions(Output... fetches) {
    StepGraph graph = Steps.fetching(tf.graph(), fetches);
    int fused = NormFusion.run(graph);
    WellFormed.require(graph);
    return fused;
  }

  private Output floats(long... sizes) {
    return tf.placeholder(DataType.FLOAT, Shape.of(sizes));
  }
}
