package dev.tributary.train.optimizer;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import java.util.List;

/**
 * Learning rates that fall with the global step: TensorFlow's decays, each a float that is computed
 * in every step.
 *
 * <pre>{@code
 * Output rate = LearningRates.exponentialDecay(tf, 0.1, globalStep.value(), 1000, 0.96, true);
 * }</pre>
 */
public final class LearningRates {
  private LearningRates() {}

  /**
   * {@code rate * decayRate ^ (step / decaySteps)}.
   *
   * @param staircase whether the exponent is rounded down, so that the rate falls in steps
   */
  public static Output exponentialDecay(
      Ops tf, double rate, Operand step, double decaySteps, double decayRate, boolean staircase) {
    Ops inner = tf.withSubScope("ExponentialDecay");
    Output periods = periods(inner, step, decaySteps, staircase);
    return inner.math.scale(inner.pow(inner.constant((float) decayRate), periods), rate);
  }

  /** {@code rate * exp(-decayRate * step / decaySteps)}. */
  public static Output naturalExpDecay(
      Ops tf, double rate, Operand step, double decaySteps, double decayRate, boolean staircase) {
    Ops inner = tf.withSubScope("NaturalExpDecay");
    Output periods = periods(inner, step, decaySteps, staircase);
    return inner.math.scale(inner.exp(inner.math.scale(periods, -decayRate)), rate);
  }

  /** {@code rate / (1 + decayRate * step / decaySteps)}. */
  public static Output inverseTimeDecay(
      Ops tf, double rate, Operand step, double decaySteps, double decayRate, boolean staircase) {
    Ops inner = tf.withSubScope("InverseTimeDecay");
    Output periods = periods(inner, step, decaySteps, staircase);
    return inner.div(
        inner.constant((float) rate), inner.math.shift(inner.math.scale(periods, decayRate), 1));
  }

  /**
   * From {@code rate} to {@code endRate} in {@code decaySteps}, and that from then on.
   *
   * @param power 1 for a straight line
   */
  public static Output polynomialDecay(
      Ops tf, double rate, Operand step, double decaySteps, double endRate, double power) {
    Ops inner = tf.withSubScope("PolynomialDecay");
    return polynomial(inner, rate, completed(inner, step, decaySteps), endRate, power);
  }

  /** The same again and again, each time over a longer stretch and from a lower start. */
  public static Output cyclicPolynomialDecay(
      Ops tf, double rate, Operand step, double decaySteps, double endRate, double power) {
    Ops inner = tf.withSubScope("PolynomialDecay");
    Output periods = periods(inner, step, decaySteps, false);
    Output cycles = inner.maximum(inner.constant(1f), inner.math.ceil(periods));
    return polynomial(inner, rate, inner.div(periods, cycles), endRate, power);
  }

  /** Half a cosine wave from {@code rate} to {@code alpha * rate}. */
  public static Output cosineDecay(
      Ops tf, double rate, Operand step, double decaySteps, double alpha) {
    Ops inner = tf.withSubScope("CosineDecay");
    Output angle = inner.math.scale(completed(inner, step, decaySteps), Math.PI);
    Output wave = inner.math.scale(inner.math.shift(inner.math.cos(angle), 1), 0.5);
    return inner.math.scale(inner.math.shift(inner.math.scale(wave, 1 - alpha), alpha), rate);
  }

  /**
   * {@code values[0]} up to and including step {@code boundaries[0]}, then {@code values[1]}, and
   * so on.
   */
  public static Output piecewiseConstant(
      Ops tf, Operand step, List<Long> boundaries, List<Double> values) {
    if (values.size() != boundaries.size() + 1) {
      throw TributaryException.invalidArgument(
          "piecewiseConstant needs one value more than boundaries, got %d and %d",
          values.size(), boundaries.size());
    }
    Ops inner = tf.withSubScope("PiecewiseConstant");
    Output rate = inner.constant(values.get(0).floatValue());
    for (int i = 0; i < boundaries.size(); i++) {
      if (i > 0 && boundaries.get(i) <= boundaries.get(i - 1)) {
        throw TributaryException.invalidArgument(
            "piecewiseConstant needs rising boundaries, got %s", boundaries);
      }
      Output past = inner.greater(step, inner.constant(step.asOutput().type(), boundaries.get(i)));
      rate = inner.where(past, inner.constant(values.get(i + 1).floatValue()), rate);
    }
    return rate;
  }

  private static Output polynomial(
      Ops tf, double rate, Operand completed, double endRate, double power) {
    Output left = tf.sub(tf.constant(1f), completed);
    Output share = tf.pow(left, tf.constant((float) power));
    return tf.math.shift(tf.math.scale(share, rate - endRate), endRate);
  }

  private static Output periods(Ops tf, Operand step, double decaySteps, boolean staircase) {
    Output periods = tf.div(tf.cast(step, DataType.FLOAT), tf.constant((float) decaySteps));
    return staircase ? tf.math.floor(periods) : periods;
  }

  /** Returns how much of the decay is over, at most 1. */
  private static Output completed(Ops tf, Operand step, double decaySteps) {
    return tf.minimum(periods(tf, step, decaySteps, false), tf.constant(1f));
  }
}
