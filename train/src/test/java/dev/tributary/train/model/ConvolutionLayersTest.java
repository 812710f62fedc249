package dev.tributary.train.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Output;
import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.ops.Variable;
import dev.tributary.session.Feeds;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.tensor.Value;
import dev.tributary.train.testing.ModelRun;
import dev.tributary.train.variable.Initializer;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Convolutions of sequences, images and volumes, and pooling over all of them. */
class ConvolutionLayersTest {
  private static final Offset<Float> NEAR = Offset.offset(1e-5f);

  private final Ops tf = Ops.create();
  private final VariableScope scope = VariableScope.of(tf);

  /** A layer, the rank of its inputs and the names of its variables. */
  record Case(KernelLayer<?> layer, int rank, String... variables) {
    @Override
    public String toString() {
      return layer.getClass().getSimpleName();
    }
  }

  static List<Case> layers() {
    return List.of(
        new Case(Conv1D.of(2, 2).withDilation(2).withCausality(), 3, "kernel", "bias"),
        new Case(Conv1D.of(2, 2).withStrides(2, Padding.SAME), 3, "kernel", "bias"),
        new Case(Conv2D.of(2, 2), 4, "kernel", "bias"),
        new Case(Conv2DTranspose.of(2, 3).withStrides(2, Padding.SAME), 4, "kernel", "bias"),
        new Case(Conv2DTranspose.of(2, 3).withStrides(2, Padding.VALID), 4, "kernel", "bias"),
        new Case(DepthwiseConv2D.of(2).withMultiplier(2), 4, "depthwise_kernel", "bias"),
        new Case(
            SeparableConv2D.of(4, 2).withMultiplier(2),
            4,
            "depthwise_kernel",
            "pointwise_kernel",
            "bias"),
        new Case(Conv3D.of(2, 2).withStrides(1, Padding.SAME), 5, "kernel", "bias"),
        new Case(Conv3DTranspose.of(2, 2).withStrides(2, Padding.SAME), 5, "kernel", "bias"));
  }

  @Test
  void conv1d_ofAllPaddings_computesByHand() {
    Output x = tf.constant(Shape.of(1, 4, 1), 1f, 2f, 3f, 4f);
    Conv1D layer = Conv1D.of(1, 2).withKernelInitializer(values(1, 10));
    Output valid = layer.apply(scope.open("valid"), x);
    Output same = layer.withStrides(1, Padding.SAME).apply(scope.open("same"), x);
    Output causal = layer.withCausality().apply(scope.open("causal"), x);
    Output dilated = layer.withCausality().withDilation(2).apply(scope.open("dilated"), x);
    Output strided = layer.withStrides(2, Padding.VALID).apply(scope.open("strided"), x);

    assertThat(valid.shape()).isEqualTo(Shape.of(1, 3, 1));
    assertThat(causal.shape()).isEqualTo(Shape.of(1, 4, 1));
    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(valid)).containsExactly(21, 32, 43);
      assertThat(run.floats(same)).containsExactly(21, 32, 43, 4);
      assertThat(run.floats(causal)).containsExactly(10, 21, 32, 43);
      assertThat(run.floats(dilated)).containsExactly(10, 20, 31, 42);
      assertThat(run.floats(strided)).containsExactly(21, 43);
    }
  }

  @Test
  void conv1d_ofTwoFeatures_mixesThem() {
    Output x = tf.constant(Shape.of(1, 2, 2), 1f, 2f, 3f, 4f);
    Output y =
        Conv1D.of(2, 1)
            .withKernelInitializer(values(1, 10, 100, 1000))
            .withBiasInitializer(Initializers.ones())
            .apply(scope, x);

    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(y)).containsExactly(202, 2011, 404, 4031);
    }
  }

  @Test
  void conv3d_ofOnes_sumsItsWindow() {
    Output x = tf.constant(Shape.of(1, 2, 2, 2, 1), 1f, 2f, 3f, 4f, 5f, 6f, 7f, 8f);
    Conv3D layer = Conv3D.of(1, 2).withKernelInitializer(Initializers.ones());
    Output y = layer.withBiasInitializer(Initializers.ones()).apply(scope.open("whole"), x);
    Output rows = layer.withKernel(1, 1, 2).apply(scope.open("rows"), x);

    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(y)).containsExactly(37);
      assertThat(run.floats(rows)).containsExactly(3, 7, 11, 15);
    }
  }

  @Test
  void conv2dTranspose_ofStrideTwo_spreadsEachElement() {
    Output x = tf.constant(Shape.of(1, 1, 2, 1), 1f, 2f);
    Conv2DTranspose layer =
        Conv2DTranspose.of(1, 2).withKernelInitializer(values(1, 10, 100, 1000));
    Output y = layer.withStrides(2, Padding.VALID).apply(scope.open("apart"), x);
    Output overlapping = layer.apply(scope.open("overlapping"), x);
    ConvOptions gaps = ConvOptions.of(1, Padding.VALID).withDilations(1, 2);
    Output dilated = layer.withOptions(gaps).apply(scope.open("dilated"), x);

    assertThat(y.shape()).isEqualTo(Shape.of(1, 2, 4, 1));
    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(y)).containsExactly(1, 10, 2, 20, 100, 1000, 200, 2000);
      assertThat(run.floats(overlapping)).containsExactly(1, 12, 20, 100, 1200, 2000);
      assertThat(run.floats(dilated)).containsExactly(1, 2, 10, 20, 100, 200, 1000, 2000);
    }
  }

  @Test
  void conv3dTranspose_ofStrideTwo_spreadsEachElement() {
    Output x = tf.constant(Shape.of(1, 1, 1, 2, 1), 1f, 2f);
    Output y =
        Conv3DTranspose.of(1, 1)
            .withKernel(1, 1, 2)
            .withStrides(2, Padding.SAME)
            .withKernelInitializer(values(1, 10))
            .apply(scope, x);

    try (ModelRun run = ModelRun.initialized(tf)) {
      // The kernel lies on every second plane and row only.
      assertThat(run.shapeOf(y)).isEqualTo(Shape.of(1, 2, 2, 4, 1));
      assertThat(run.floats(y)).containsExactly(1, 10, 2, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
  }

  @Test
  void depthwiseConv2d_ofTwoChannels_keepsThemApart() {
    Output x = tf.constant(Shape.of(1, 1, 2, 2), 1f, 2f, 3f, 4f);
    Output y =
        DepthwiseConv2D.of(1)
            .withKernel(1, 2)
            .withMultiplier(2)
            .withKernelInitializer(values(1, 10, 100, 1000, 2, 20, 200, 2000))
            .apply(scope, x);

    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(y)).containsExactly(1 + 6, 10 + 60, 200 + 800, 2000 + 8000);
    }
  }

  @Test
  void separableConv2d_equalsItsTwoParts() {
    Output x = tf.constant(Shape.of(1, 2, 2, 2), 1f, 2f, 3f, 4f, 5f, 6f, 7f, 8f);
    Initializer varied = Initializers.randomUniform(-1, 1);
    Output y =
        SeparableConv2D.of(3, 2)
            .withStrides(1, Padding.SAME)
            .withMultiplier(2)
            .withKernelInitializer(varied)
            .withBiasInitializer(varied)
            .withActivation(Activation.TANH)
            .apply(scope, x);
    List<Output> weights = Variables.global(tf.graph()).stream().map(Variable::value).toList();
    Output separate = tf.nn.depthwiseConv2d(x, weights.get(0), 1, Padding.SAME);
    Output mixed = tf.matMul(tf.reshape(separate, 4, 4), tf.reshape(weights.get(1), 4, 3));
    Output expected = tf.tanh(tf.add(mixed, weights.get(2)));

    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(y)).containsExactly(run.floats(expected), NEAR);
    }
  }

  @ParameterizedTest
  @MethodSource("layers")
  void layer_ofUnknownSizes_hasGradientsByAllVariables(Case wanted) {
    tf.graph().setSeed(3);
    Shape shape = Shape.ofRank(wanted.rank()).withSize(wanted.rank() - 1, 2);
    Output x = tf.placeholder(DataType.FLOAT, shape);
    Output y = wanted.layer().apply(scope.open("layer"), x);
    List<Variable> variables = Variables.trainable(tf.graph());
    List<Output> slopes =
        Gradients.dense(tf, tf.sum(tf.square(y)), variables.stream().map(Variable::value).toList());

    assertThat(variables)
        .extracting(v -> v.name().substring("layer/".length()))
        .containsExactly(wanted.variables());
    assertThat(y.shape().rank()).isEqualTo(wanted.rank());
    try (ModelRun run = ModelRun.initialized(tf);
        Tensor images = images(wanted.rank())) {
      for (int i = 0; i < slopes.size(); i++) {
        float[] slope = run.session().fetch(slopes.get(i), Feeds.of(x, images)).toFloats();
        assertThat(slope).as(variables.get(i).name()).isNotEmpty().doesNotContain(0);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("layers")
  void layer_ofAnyBatch_computesEachExampleByItself(Case wanted) {
    tf.graph().setSeed(3);
    Output x = tf.placeholder(DataType.FLOAT, sizes(wanted.rank()).withSize(0, Shape.UNKNOWN));
    Output y = wanted.layer().apply(scope, x);

    assertThat(y.shape().size(0)).isEqualTo(Shape.UNKNOWN);
    assertThat(y.shape().withSize(0, 1).isFullyDefined()).isTrue();
    try (ModelRun run = ModelRun.initialized(tf);
        Tensor two = images(wanted.rank())) {
      float[] all = run.session().fetch(y, Feeds.of(x, two)).toFloats();
      float[] half = Arrays.copyOf(two.toFloats(), (int) two.elementCount() / 2);
      try (Tensor one = Tensor.of(two.shape().withSize(0, 1), half)) {
        Value first = run.session().fetch(y, Feeds.of(x, one));
        assertThat(first.shape()).isEqualTo(y.shape().withSize(0, 1));
        assertThat(Arrays.copyOf(all, all.length / 2)).containsExactly(first.toFloats(), NEAR);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("layers")
  void layer_ofOtherRank_isRefused(Case wanted) {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(1, 2));

    assertThatThrownBy(() -> wanted.layer().apply(scope, x))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining(wanted + ": its inputs must be")
        .hasMessageContaining("[n, ");
  }

  @Test
  void layers_ofImpossibleSettings_areRefused() {
    assertThatThrownBy(() -> Conv1D.of(0, 1)).hasMessageContaining("filters must be at least 1");
    assertThatThrownBy(() -> Conv3D.of(1, 0)).hasMessageContaining("the kernel's size");
    assertThatThrownBy(() -> DepthwiseConv2D.of(1).withMultiplier(0))
        .hasMessageContaining("the multiplier must be at least 1, got 0");
    assertThatThrownBy(() -> Conv2DTranspose.of(1, 1).withStrides(1, Padding.EXPLICIT))
        .hasMessageContaining("Conv2DTranspose: the padding must be SAME or VALID");
  }

  @Test
  void globalPooling_ofBothKinds_reducesAllBetween() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1, -1, -1, 2));
    Output largest = GlobalPooling.max().apply(scope, x);
    Output mean = GlobalPooling.average().withDimensions().apply(scope, x);

    assertThat(largest.shape()).isEqualTo(Shape.of(-1, 2));
    assertThat(mean.shape()).isEqualTo(Shape.of(-1, 1, 1, 2));
    try (ModelRun run = ModelRun.of(tf);
        Tensor image = Tensor.of(Shape.of(1, 2, 1, 2), 1f, 20f, 3f, 10f)) {
      Feeds feeds = Feeds.of(x, image);
      assertThat(run.session().fetch(largest, feeds).toFloats()).containsExactly(3, 20);
      assertThat(run.session().fetch(mean, feeds).toFloats()).containsExactly(2, 15);
    }
  }

  @Test
  void globalPooling_ofAMatrix_isRefused() {
    assertThatThrownBy(() -> GlobalPooling.max().apply(scope, tf.constant(Shape.of(1, 2), 1f, 2f)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("GlobalPooling");
  }

  /** Two volumes, images or sequences of two channels, each element another one. */
  private static Tensor images(int rank) {
    Shape shape = sizes(rank);
    float[] elements = new float[(int) shape.elementCount()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (float) Math.sin(1 + i);
    }
    return Tensor.of(shape, elements);
  }

  private static Shape sizes(int rank) {
    long[] sizes = new long[rank];
    Arrays.fill(sizes, 3);
    return Shape.of(sizes).withSize(0, 2).withSize(rank - 1, 2);
  }

  /** An initializer of these values, in order. */
  private static Initializer values(float... values) {
    return (tf, type, slice) -> tf.constant(slice.shape(), values);
  }
}
