package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.image.ColorKernels;
import dev.tributary.internal.kernel.image.ContrastKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Ops on the colours of images. The last dimension has red, green and blue, or hue, saturation and
 * value, from 0 to 1.
 */
abstract sealed class ColorOps extends BoxOps permits ImageOps {
  private static final int CHANNELS = 3;

  ColorOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("RGBToHSV")
            .input("images: T")
            .output("output: T")
            .attr("T: {half, bfloat16, float, double} = float")
            .shape(ColorOps::colorShape)
            .kernel(ColorKernels::rgbToHsv)
            .grad(ColorOps::hsvGradient),
        op("HSVToRGB")
            .input("images: T")
            .output("output: T")
            .attr("T: {half, bfloat16, float, double} = float")
            .shape(ColorOps::colorShape)
            .kernel(ColorKernels::hsvToRgb)
            .notDifferentiable(),
        op("AdjustHue")
            .input("images: T")
            .input("delta: float")
            .output("output: T")
            .attr("T: {half, float} = float")
            .shape(ColorOps::adjustedShape)
            .kernel(ColorKernels::adjustHue)
            .notDifferentiable(),
        op("AdjustSaturation")
            .input("images: T")
            .input("scale: float")
            .output("output: T")
            .attr("T: {half, float} = float")
            .shape(ColorOps::adjustedShape)
            .kernel(ColorKernels::adjustSaturation)
            .notDifferentiable(),
        op("AdjustContrast")
            .input("images: T")
            .input("contrast_factor: float")
            .input("min_value: float")
            .input("max_value: float")
            .output("output: float")
            .attr("T: {uint8, int8, int16, int32, int64, float, double}")
            .deprecated(2, "Use AdjustContrastv2 instead")
            .shape(ColorOps::adjustedShape)
            .kernel(ContrastKernels::clipped)
            .notDifferentiable(),
        op("AdjustContrastv2")
            .input("images: T")
            .input("contrast_factor: float")
            .output("output: T")
            .attr("T: {half, float} = float")
            .shape(ColorOps::adjustedShape)
            .kernel(ContrastKernels::adjust)
            .grad(ColorOps::contrastGradient));
  }

  /** Hue, saturation and value of pixels of red, green and blue. */
  public Output rgbToHsv(Operand images) {
    return scope.operation("RGBToHSV").input(images).buildOutput();
  }

  /** The inverse of {@link #rgbToHsv}. */
  public Output hsvToRgb(Operand images) {
    return scope.operation("HSVToRGB").input(images).buildOutput();
  }

  /** Images with another hue; 1 is the whole circle. */
  public Output adjustHue(Operand images, Operand delta) {
    return scope.operation("AdjustHue").input(images).input(delta).buildOutput();
  }

  /** Images with their saturation times {@code scale}, at most 1. */
  public Output adjustSaturation(Operand images, Operand scale) {
    return scope.operation("AdjustSaturation").input(images).input(scale).buildOutput();
  }

  /** Images with the distance of each element from its channel's mean times {@code factor}. */
  public Output adjustContrast(Operand images, Operand factor) {
    return scope.operation("AdjustContrastv2").input(images).input(factor).buildOutput();
  }

  private static void colorShape(InferenceContext context) {
    Shape images = context.withRankAtLeast(0, 1);
    if (images.hasRank()) {
      Shape colors = images.slice(images.rank() - 1, images.rank()).merge(Shape.of(CHANNELS));
      context.output(0, images.slice(0, images.rank() - 1).concatenate(colors));
    }
  }

  private static void adjustedShape(InferenceContext context) {
    for (int i = 1; i < context.inputCount(); i++) {
      context.withRank(i, 0);
    }
    context.output(0, context.withRankAtLeast(0, 3));
  }

  private static List<Output> contrastGradient(Ops tf, Operation op, Output dy) {
    Output images = op.input(0);
    Output factor = tf.cast(op.input(1), images.type());
    Output axes = tf.add(tf.array.rank(images), tf.constant(-3, -2));
    Output mean = tf.math.mean(images, axes, true);
    Output meanGradient = tf.math.mean(dy, axes, true);
    Output ofImages =
        tf.add(tf.mul(factor, dy), tf.mul(tf.sub(tf.onesLike(factor), factor), meanGradient));
    Output distance = tf.cast(tf.mul(dy, tf.sub(images, mean)), DataType.FLOAT);
    return List.of(ofImages, tf.sum(tf.reshape(distance, -1), 0));
  }

  /**
   * With the largest channel k, its successors a and b in turn, and the range r of all three, the
   * hue is (a - b) / 6r + k / 3, the saturation r / k. Colours of 0 have no slope, as in
   * TensorFlow.
   */
  private static List<Output> hsvGradient(Ops tf, Operation op, Output dy) {
    DataType type = op.input(0).type();
    List<Output> x = tf.array.unpack(op.input(0), CHANNELS, -1);
    List<Output> slopes = tf.array.unpack(dy, CHANNELS, -1);
    Output value = tf.array.unpack(op.output(0), CHANNELS, -1).get(2);
    Output zero = tf.zerosLike(value);
    Output one = tf.onesLike(value);
    Output least = tf.minimum(tf.minimum(x.get(0), x.get(1)), x.get(2));
    Output inverse = tf.math.divNoNan(one, value);
    Output inverseRange =
        tf.where(tf.greater(value, zero), tf.math.divNoNan(one, tf.sub(value, least)), zero);
    List<Output> largest = new ArrayList<>();
    List<Output> smallest = new ArrayList<>();
    Output difference = zero;
    for (int i = 0; i < CHANNELS; i++) {
      largest.add(tf.cast(isFirst(tf, x, i, false), type));
      smallest.add(tf.cast(isFirst(tf, x, i, true), type));
      Output step = tf.sub(next(x, i, 1), next(x, i, 2));
      difference = tf.add(difference, tf.mul(largest.get(i), step));
    }
    Output bend = tf.mul(difference, inverseRange);
    Output sixth = tf.constant(type, 1.0 / 6);
    List<Output> gradients = new ArrayList<>();
    for (int i = 0; i < CHANNELS; i++) {
      Output side = tf.sub(next(largest, i, 2), next(largest, i, 1));
      Output turn = tf.mul(tf.sub(smallest.get(i), largest.get(i)), bend);
      Output hue = tf.mul(tf.mul(sixth, inverseRange), tf.add(side, turn));
      Output grown = tf.mul(tf.mul(largest.get(i), least), tf.square(inverse));
      Output saturation =
          tf.where(
              tf.greater(x.get(i), zero), tf.sub(grown, tf.mul(smallest.get(i), inverse)), zero);
      Output sum = tf.add(tf.mul(slopes.get(0), hue), tf.mul(slopes.get(1), saturation));
      gradients.add(tf.add(sum, tf.mul(slopes.get(2), largest.get(i))));
    }
    return List.of(tf.array.pack(gradients, -1));
  }

  private static Output next(List<Output> channels, int i, int steps) {
    return channels.get((i + steps) % CHANNELS);
  }

  /**
   * Tests if channel {@code i} is the largest of a pixel, or the smallest. Of equal ones the first
   * is the largest and the last the smallest.
   */
  private static Output isFirst(Ops tf, List<Output> x, int i, boolean smallest) {
    Output result = tf.onesLike(tf.equal(x.get(i), x.get(i)));
    for (int j = 0; j < CHANNELS; j++) {
      if (j != i) {
        Output mine = smallest ? x.get(j) : x.get(i);
        Output other = smallest ? x.get(i) : x.get(j);
        boolean winsTies = smallest == j < i;
        Output wins = winsTies ? tf.greaterEqual(mine, other) : tf.greater(mine, other);
        result = tf.logicalAnd(result, wins);
      }
    }
    return result;
  }
}
