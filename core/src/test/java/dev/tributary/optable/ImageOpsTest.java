package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Output;
import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.DataFormat;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What ops over images do beyond stock's CPU kernels, for which stock cannot be the judge. */
@NoLeaks
class ImageOpsTest {
  /** An op on an image in a format, with filters and scales from a source of random tensors. */
  private interface ImageOp {
    Output apply(
        Ops tf, Output image, DataFormat format, BiFunction<DataType, Shape, Output> parameter);
  }

  private static final int CHANNELS = 4;

  @TestFactory
  Stream<DynamicTest> op_onChannelsFirst_isTransposedChannelsLast() {
    return Stream.of(
        channelsFirst(
            "Conv2D",
            (tf, x, format, parameter) ->
                tf.conv2d(
                    x,
                    parameter.apply(DOUBLE, Shape.of(3, 2, 2, 6)),
                    options(format).withDilations(1, 2).withPaddings(1, 0, 2, 1))),
        channelsFirst(
            "DepthwiseConv2dNative",
            (tf, x, format, parameter) ->
                tf.nn.depthwiseConv2d(
                    x, parameter.apply(DOUBLE, Shape.of(3, 2, CHANNELS, 2)), options(format))),
        channelsFirst(
            "MaxPool", (tf, x, format, parameter) -> tf.maxPool(x, 3, 2, options(format))),
        channelsFirst(
            "AvgPool", (tf, x, format, parameter) -> tf.avgPool(x, 3, 2, options(format))),
        channelsFirst(
            "BiasAdd",
            (tf, x, format, parameter) ->
                tf.biasAdd(x, parameter.apply(DOUBLE, Shape.of(CHANNELS)), format)),
        channelsFirst(
            "FusedBatchNormV3",
            (tf, x, format, parameter) -> {
              Shape vector = Shape.of(CHANNELS);
              Output scale = parameter.apply(FLOAT, vector);
              Output offset = parameter.apply(FLOAT, vector);
              Output image = tf.cast(x, FLOAT);
              Output y =
                  tf.nn
                      .fusedBatchNorm(image, scale, offset, scale, offset, 0.01f, 0.5f, format)
                      .y();
              return tf.cast(y, DOUBLE);
            }));
  }

  @Test
  void convolutionGradients_dilatedAndGrouped_areSlopes() {
    OpRow inputGradient =
        OpRow.of("Conv2DBackpropInput")
            .types(DOUBLE)
            .draw(
                d ->
                    grouped(
                        OpCall.of()
                            .constant(Tensor.of(2, 5, 6, 4))
                            .input(d.tensor(Shape.of(2, 3, 2, 6)))
                            .input(d.tensor(Shape.of(2, 2, 2, 6)))))
            .without(Draw.Size.EMPTY, "ordinary sizes only")
            .without(Draw.Size.SCALAR, "ordinary sizes only")
            .gradientOf(1, 2);
    OpRow filterGradient =
        OpRow.of("Conv2DBackpropFilter")
            .types(DOUBLE)
            .draw(
                d ->
                    grouped(
                        OpCall.of(d.tensor(Shape.of(2, 5, 6, 4)))
                            .constant(Tensor.of(2, 3, 2, 6))
                            .input(d.tensor(Shape.of(2, 2, 2, 6)))))
            .without(Draw.Size.EMPTY, "ordinary sizes only")
            .without(Draw.Size.SCALAR, "ordinary sizes only")
            .gradientOf(0, 2);

    for (OpRow row : List.of(inputGradient, filterGradient)) {
      OpChecks checks = new OpChecks(Ops.registry(), row);
      checks.types();
      checks.gradients();
    }
  }

  @Test
  void convolutionInputGradient_heightAndWidthOnly_takesTheRestFromElsewhere() {
    try (CallSession session = new CallSession(Ops.registry())) {
      Ops tf = session.tf();
      Output filter = tf.constant(Shape.of(1, 1, 2, 1), 1f, 10f);
      Output gradient = tf.constant(Shape.of(1, 1, 2, 1), 3f, 4f);
      Output sizes = tf.constant(1, 2);
      Output image =
          tf.nn.conv2dBackpropInput(sizes, filter, gradient, ConvOptions.of(1, Padding.VALID));

      assertThat(image.shape()).isEqualTo(Shape.of(1, 1, 2, 2));
      try (StepResult result = session.runner().fetch(image).run()) {
        assertThat(result.get(0).toFloats()).containsExactly(3, 30, 4, 40);
      }
    }
  }

  @Test
  void depthwiseFilterGradient_noImages_isZero() {
    try (CallSession session = new CallSession(Ops.registry())) {
      Ops tf = session.tf();
      Output none = Constants.taking(tf, Tensor.zeros(FLOAT, Shape.of(0, 2, 2, 1)));
      Output filter = Constants.taking(tf, Tensor.zeros(FLOAT, Shape.of(1, 1, 1, 1)));
      Output y = tf.nn.depthwiseConv2d(none, filter, 1, Padding.VALID);
      GradientValue gradient = Gradients.of(tf, List.of(y), List.of(filter)).get(0);

      try (StepResult result = session.runner().fetch((Output) gradient).run()) {
        assertThat(result.get(0).toFloats()).containsExactly(0);
      }
    }
  }

  @Test
  void batchNormInferenceGradient_givenStatistics_treatsThemAsConstants() {
    try (CallSession session = new CallSession(Ops.registry())) {
      Ops tf = session.tf();
      Output x = tf.constant(Shape.of(1, 2, 1, 1), 3f, 7f);
      Output scale = tf.constant(new float[] {5f});
      Output offset = tf.constant(new float[] {0f});
      Output mean = tf.constant(new float[] {1f});
      Output variance = tf.constant(new float[] {4f});
      Output y = tf.nn.fusedBatchNormInference(x, scale, offset, mean, variance, 0);

      List<GradientValue> gradients = Gradients.of(tf, List.of(y), List.of(x, scale, offset, mean));

      assertThat(gradients.get(3)).isInstanceOf(GradientValue.None.class);
      try (StepResult result =
          session
              .runner()
              .fetch((Output) gradients.get(0))
              .fetch((Output) gradients.get(1))
              .fetch((Output) gradients.get(2))
              .run()) {
        assertThat(result.get(0).toFloats()).containsExactly(2.5f, 2.5f);
        assertThat(result.get(1).toFloats()).containsExactly(4);
        assertThat(result.get(2).toFloats()).containsExactly(2);
      }
    }
  }

  @Test
  void batchNorm_videos_normalisesEachChannel() {
    try (CallSession session = new CallSession(Ops.registry())) {
      Ops tf = session.tf();
      Output x = tf.constant(Shape.of(1, 2, 1, 1, 2), 1f, 10f, 3f, 30f);
      Output one = tf.constant(1f, 1f);
      Output zero = tf.constant(0f, 0f);
      Output y = tf.nn.fusedBatchNorm(x, one, zero, zero, one, 0, 1, DataFormat.NDHWC).y();

      assertThat(y.shape()).isEqualTo(x.shape());
      try (StepResult result = session.runner().fetch(y).run()) {
        assertThat(result.get(0).toFloats()).containsExactly(-1, -1, 1, 1);
      }
    }
  }

  private static DynamicTest channelsFirst(String name, ImageOp op) {
    return DynamicTest.dynamicTest(name, () -> compareFormats(op));
  }

  /** Compares the results and the gradients by the image. */
  private static void compareFormats(ImageOp op) {
    try (CallSession session = new CallSession(Ops.registry())) {
      Ops tf = session.tf();
      Output x =
          Constants.taking(
              tf, new Draw(7, DOUBLE, Draw.Size.ORDINARY).tensor(Shape.of(2, 6, 7, CHANNELS)));
      Output last = op.apply(tf, x, DataFormat.NHWC, parameters(tf));
      Output transposed = tf.transpose(x, 0, 3, 1, 2);
      Output first =
          tf.transpose(op.apply(tf, transposed, DataFormat.NCHW, parameters(tf)), 0, 2, 3, 1);
      Output weights =
          Constants.taking(tf, new Draw(8, DOUBLE, Draw.Size.ORDINARY).tensor(last.shape()));
      Output ofLast = gradient(tf, tf.mul(last, weights), x);
      Output ofFirst = gradient(tf, tf.mul(first, weights), x);

      assertThat(first.shape()).isEqualTo(last.shape());
      try (StepResult result =
          session.runner().fetch(last).fetch(first).fetch(ofLast).fetch(ofFirst).run()) {
        TensorCompare.requireEqual("values", result.get(1), result.get(0), 1e-6);
        TensorCompare.requireEqual("gradients", result.get(3), result.get(2), 1e-5);
      }
    }
  }

  private static Output gradient(Ops tf, Output y, Output x) {
    return (Output) Gradients.of(tf, List.of(y), List.of(x)).get(0);
  }

  /** The same sequence of tensors for each call. */
  private static BiFunction<DataType, Shape, Output> parameters(Ops tf) {
    return (type, shape) ->
        Constants.taking(tf, new Draw(9, type, Draw.Size.ORDINARY).tensor(shape));
  }

  private static ConvOptions options(DataFormat format) {
    return ConvOptions.of(2, Padding.SAME).withFormat(format);
  }

  /** Two groups, and a filter whose columns are two pixels apart. */
  private static OpCall grouped(OpCall call) {
    return call.attr("strides", new long[] {1, 2, 1, 1})
        .attr("padding", "VALID")
        .attr("dilations", new long[] {1, 1, 2, 1});
  }
}
