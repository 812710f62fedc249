package dev.tributary.train.variable;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.VarianceScaling.Distribution;
import dev.tributary.train.variable.VarianceScaling.Mode;

/**
 * TensorFlow's initializers. The random ones follow the graph's seed; those that take a seed follow
 * both.
 */
public final class Initializers {
  private Initializers() {}

  public static Initializer zeros() {
    return constant(0);
  }

  public static Initializer ones() {
    return constant(1);
  }

  /** The same number everywhere. */
  public static Initializer constant(double value) {
    return (tf, type, slice) -> tf.fill(sizes(tf, slice.shape()), tf.constant(type, value));
  }

  /** Numbers from {@code minval} (included) to {@code maxval} (excluded), all equally likely. */
  public static Initializer randomUniform(double minval, double maxval) {
    return (tf, type, slice) ->
        between(tf, tf.random.uniform(sizes(tf, slice.shape()), type), minval, maxval);
  }

  public static Initializer randomUniform(double minval, double maxval, long seed) {
    return (tf, type, slice) ->
        between(tf, tf.random.uniform(sizes(tf, slice.shape()), type, seed), minval, maxval);
  }

  public static Initializer randomNormal(double mean, double deviation) {
    return (tf, type, slice) ->
        around(tf, tf.random.normal(sizes(tf, slice.shape()), type), mean, deviation);
  }

  public static Initializer randomNormal(double mean, double deviation, long seed) {
    return (tf, type, slice) ->
        around(tf, tf.random.normal(sizes(tf, slice.shape()), type, seed), mean, deviation);
  }

  /** Normally distributed numbers, none more than two deviations from the mean. */
  public static Initializer truncatedNormal(double mean, double deviation) {
    return (tf, type, slice) ->
        around(tf, tf.random.truncatedNormal(sizes(tf, slice.shape()), type), mean, deviation);
  }

  public static Initializer truncatedNormal(double mean, double deviation, long seed) {
    return (tf, type, slice) ->
        around(
            tf, tf.random.truncatedNormal(sizes(tf, slice.shape()), type, seed), mean, deviation);
  }

  /** Also called Xavier's; the default of variables. */
  public static VarianceScaling glorotUniform() {
    return VarianceScaling.of(1, Mode.FAN_AVG, Distribution.UNIFORM);
  }

  public static VarianceScaling glorotNormal() {
    return VarianceScaling.of(1, Mode.FAN_AVG, Distribution.TRUNCATED_NORMAL);
  }

  /** Keeps the size of signals through layers of rectifiers. */
  public static VarianceScaling heUniform() {
    return VarianceScaling.of(2, Mode.FAN_IN, Distribution.UNIFORM);
  }

  public static VarianceScaling heNormal() {
    return VarianceScaling.of(2, Mode.FAN_IN, Distribution.TRUNCATED_NORMAL);
  }

  /** Returns the default initializer of variables of a type. */
  static Initializer defaultFor(DataType type) {
    return type.isFloating() ? glorotUniform() : zeros();
  }

  private static Output between(Ops tf, Output uniform, double minval, double maxval) {
    return tf.math.shift(tf.math.scale(uniform, maxval - minval), minval);
  }

  private static Output around(Ops tf, Output normal, double mean, double deviation) {
    return tf.math.shift(tf.math.scale(normal, deviation), mean);
  }

  private static Output sizes(Ops tf, Shape shape) {
    return tf.withName("shape").constant(shape.toArray());
  }
}
