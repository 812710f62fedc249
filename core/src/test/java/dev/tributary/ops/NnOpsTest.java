package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * What the op table does not say of neural network ops: refusals, and gradients that flow to one of
 * two inputs.
 */
class NnOpsTest {
  private final Ops tf = Ops.create();

  @Test
  void reluGradient_valuesAtTheEdge_passOnlyWhereTheFeatureIsAboveZero() {
    float[] features = {
      0f,
      -0f,
      Float.MIN_VALUE,
      -Float.MIN_VALUE,
      1f,
      -1f,
      Float.MAX_VALUE,
      -Float.MAX_VALUE,
      Float.POSITIVE_INFINITY,
      Float.NEGATIVE_INFINITY,
      Float.NaN,
      Float.intBitsToFloat(-1)
    };
    float[] expected = {0, 0, 7, 0, 7, 0, 7, 0, 7, 0, 0, 0};
    // Short loops and long ones go different ways.
    for (int copies : new int[] {1, 100}) {
      Output x = tf.constant(repeated(features, copies));
      Output dy = tf.onesLike(x);
      Output dx =
          tf.graph()
              .scope()
              .operation("ReluGrad")
              .input(tf.mul(dy, tf.constant(7f)))
              .input(x)
              .buildOutput();
      try (Session session = Session.local(tf.graph());
          StepResult result = session.runner().fetch(dx).run()) {
        assertThat(result.get(0).toFloats()).containsExactly(repeated(expected, copies));
      }
    }
  }

  private static float[] repeated(float[] values, int copies) {
    float[] all = new float[values.length * copies];
    for (int i = 0; i < all.length; i++) {
      all[i] = values[i % values.length];
    }
    return all;
  }

  @Test
  void conv2d_depthsThatDoNotFit_areNamed() {
    Output image = tf.placeholder(DataType.FLOAT, Shape.of(-1, 8, 8, 3));
    Output filter = tf.placeholder(DataType.FLOAT, Shape.of(2, 2, 4, 1));

    refuses(
        () -> tf.conv2d(image, filter, 1, Padding.SAME),
        "input depth 3 must be a multiple of filter depth 4");
  }

  @Test
  void conv2d_fedDepthsThatDoNotFit_areNamed() {
    Output image = tf.placeholder(DataType.FLOAT, Shape.unknown());
    Output filter = tf.placeholder(DataType.FLOAT, Shape.unknown());
    Output y = tf.conv2d(image, filter, 1, Padding.SAME);

    try (Session session = Session.local(tf.graph());
        Tensor wide = Tensor.zeros(DataType.FLOAT, Shape.of(1, 8, 8, 3));
        Tensor four = Tensor.zeros(DataType.FLOAT, Shape.of(2, 2, 4, 1))) {
      refuses(
          () -> session.runner().feed(image, wide).feed(filter, four).fetch(y).run(),
          "input depth 3 must be a multiple of filter depth 4");
    }
  }

  @Test
  void conv2d_unknownBatchAndSizes_keepsWhatIsKnown() {
    Output image = tf.placeholder(DataType.FLOAT, Shape.of(-1, 9, -1, 3));
    Output filter = tf.placeholder(DataType.FLOAT, Shape.of(2, 2, 3, 5));

    assertThat(tf.conv2d(image, filter, 2, Padding.SAME).shape()).isEqualTo(Shape.of(-1, 5, -1, 5));
  }

  @Test
  void maxPool_windowLargerThanImage_isRefused() {
    Output image = tf.placeholder(DataType.FLOAT, Shape.of(1, 2, 2, 1));

    refuses(() -> tf.maxPool(image, 4, 1, Padding.VALID), "does not fit into size 2");
  }

  @Test
  void maxPool_paddingAsLargeAsWindow_isRefused() {
    Output image = tf.placeholder(DataType.FLOAT, Shape.of(1, 4, 4, 1));
    ConvOptions options = ConvOptions.of(1, Padding.EXPLICIT).withPaddings(2, 0, 0, 0);

    refuses(() -> tf.maxPool(image, 2, 2, options), "explicit_paddings must be smaller than ksize");
  }

  @Test
  void biasAdd_otherNumberOfChannels_isRefused() {
    Output value = tf.placeholder(DataType.FLOAT, Shape.of(-1, 3));
    Output bias = tf.placeholder(DataType.FLOAT, Shape.of(4));

    refuses(() -> tf.biasAdd(value, bias), "got 4 for 3 channels");
  }

  @Test
  void topK_moreThanThereAre_isRefused() {
    Output input = tf.placeholder(DataType.FLOAT, Shape.of(2, 3));

    refuses(() -> tf.nn.topK(input, 5), "input must have at least k columns. Had 3, needed 5");
  }

  @Test
  void sparseCrossEntropy_labelThatIsNoClass_isRefused() {
    Output logits = tf.placeholder(DataType.FLOAT, Shape.of(1, 3));
    Output labels = tf.placeholder(DataType.INT32, Shape.of(1));
    Output loss = tf.nn.sparseSoftmaxCrossEntropyWithLogits(labels, logits);

    try (Session session = Session.local(tf.graph());
        Tensor zeros = Tensor.zeros(DataType.FLOAT, Shape.of(1, 3));
        Tensor three = Tensor.of(new int[] {3})) {
      refuses(
          () -> session.runner().feed(logits, zeros).feed(labels, three).fetch(loss).run(), "3");
    }
  }

  @Test
  void crossEntropyGradient_ofLabels_isMinusLogSoftmax() {
    Output logits = tf.placeholder(DataType.FLOAT, Shape.of(1, 2));
    Output labels = tf.placeholder(DataType.FLOAT, Shape.of(1, 2));
    Output loss = tf.nn.softmaxCrossEntropyWithLogits(labels, logits);
    Output gradient = (Output) Gradients.of(tf, List.of(loss), List.of(labels)).get(0);

    try (Session session = Session.local(tf.graph());
        Tensor zeros = Tensor.zeros(DataType.FLOAT, Shape.of(1, 2));
        StepResult result =
            session.runner().feed(logits, zeros).feed(labels, zeros).fetch(gradient).run()) {
      float logTwo = (float) Math.log(2);
      assertThat(result.get(0).toFloats()).containsExactly(logTwo, logTwo);
    }
  }

  private static void refuses(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }
}
