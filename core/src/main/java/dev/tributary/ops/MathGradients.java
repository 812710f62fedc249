package dev.tributary.ops;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import java.util.List;

/** The gradients of {@link MathOps} that take more than a line. */
final class MathGradients {
  private MathGradients() {}

  static List<Output> add(Ops tf, Operation op, Output dy) {
    return BroadcastGradients.reduce(tf, op.input(0), dy, op.input(1), dy);
  }

  static List<Output> multiply(Ops tf, Operation op, Output dy) {
    Output x = op.input(0);
    Output y = op.input(1);
    return BroadcastGradients.reduce(
        tf, x, tf.mul(dy, tf.math.conj(y)), y, tf.mul(tf.math.conj(x), dy));
  }

  /** Of any division of real numbers, with the op's own division. */
  static List<Output> divide(Ops tf, Operation op, Output dy) {
    Output x = op.input(0);
    Output y = op.input(1);
    Output divisor = tf.math.conj(y);
    Output slope = divided(tf, op, divided(tf, op, tf.neg(tf.math.conj(x)), divisor), divisor);
    return BroadcastGradients.reduce(tf, x, divided(tf, op, dy, divisor), y, tf.mul(dy, slope));
  }

  static List<Output> floorModulo(Ops tf, Operation op, Output dy) {
    Output x = op.input(0);
    Output y = op.input(1);
    Output quotient = tf.math.floorDiv(x, y);
    return BroadcastGradients.reduce(tf, x, dy, y, tf.mul(dy, tf.neg(quotient)));
  }

  static List<Output> maximum(Ops tf, Operation op, Output dy) {
    return extremum(tf, op, dy, tf.greaterEqual(op.input(0), op.input(1)));
  }

  static List<Output> minimum(Ops tf, Operation op, Output dy) {
    return extremum(tf, op, dy, tf.lessEqual(op.input(0), op.input(1)));
  }

  /** All flows to the first input where {@code first} holds, and to the second one elsewhere. */
  private static List<Output> extremum(Ops tf, Operation op, Output dy, Output first) {
    Output zero = tf.constant(dy.type(), 0);
    return BroadcastGradients.reduce(
        tf, op.input(0), tf.where(first, dy, zero), op.input(1), tf.where(first, zero, dy));
  }

  /** The logarithm counts as 0 where the base is not positive, or 0 if it is complex. */
  static List<Output> power(Ops tf, Operation op, Output dy) {
    Output x = tf.math.conj(op.input(0));
    Output y = tf.math.conj(op.input(1));
    Output one = tf.constant(x.type(), 1);
    Output zero = tf.constant(x.type(), 0);
    Output ofX = tf.mul(dy, tf.mul(y, tf.pow(x, tf.sub(y, one))));
    Output hasLog = x.type().isComplex() ? tf.notEqual(x, zero) : tf.greater(x, zero);
    Output logarithm = tf.where(hasLog, tf.log(tf.where(hasLog, x, one)), zero);
    Output ofY = tf.mul(dy, tf.mul(tf.math.conj(op.output(0)), logarithm));
    return BroadcastGradients.reduce(tf, op.input(0), ofX, op.input(1), ofY);
  }

  static List<Output> squaredDifference(Ops tf, Operation op, Output dy) {
    Output x = op.input(0);
    Output y = op.input(1);
    Output ofX = tf.mul(tf.math.scale(dy, 2), tf.sub(x, y));
    Output reducedX = BroadcastGradients.reduce(tf, x, ofX);
    Output reducedY = BroadcastGradients.reduce(tf, y, ofX);
    return List.of(reducedX, tf.neg(reducedY));
  }

  /** The gradient of a cut-off value flows to the bound that cut it. */
  static List<Output> clip(Ops tf, Operation op, Output dy) {
    Output x = op.input(0);
    Output low = op.input(1);
    Output high = op.input(2);
    Output zero = tf.constant(dy.type(), 0);
    Output under = tf.less(x, low);
    Output over = tf.greater(x, high);
    return List.of(
        tf.where(tf.logicalOr(under, over), zero, dy),
        BroadcastGradients.reduce(tf, low, tf.where(under, dy, zero)),
        BroadcastGradients.reduce(tf, high, tf.where(over, dy, zero)));
  }

  static List<Output> erf(Ops tf, Operation op, Output dy) {
    Output bell = tf.exp(tf.neg(tf.square(op.input(0))));
    return List.of(tf.mul(tf.math.scale(dy, 2 / Math.sqrt(Math.PI)), bell));
  }

  static List<Output> tanhGrad(Ops tf, Operation op, Output ddy) {
    Output y = tf.math.conj(op.input(0));
    Output dy = tf.math.conj(op.input(1));
    return List.of(tf.mul(tf.mul(tf.math.scale(ddy, -2), dy), y), tf.math.tanhGrad(y, ddy));
  }

  static List<Output> sigmoidGrad(Ops tf, Operation op, Output ddy) {
    Output y = tf.math.conj(op.input(0));
    Output product = tf.mul(ddy, tf.math.conj(op.input(1)));
    Output ofY = tf.sub(product, tf.mul(tf.math.scale(product, 2), y));
    return List.of(ofY, tf.math.sigmoidGrad(y, ddy));
  }

  static List<Output> sqrtGrad(Ops tf, Operation op, Output ddy) {
    Output quotient = tf.math.realDiv(ddy, op.input(0));
    Output ofY = tf.neg(tf.mul(tf.math.conj(quotient), op.output(0)));
    return List.of(ofY, tf.math.scale(quotient, 0.5));
  }

  static List<Output> rsqrtGrad(Ops tf, Operation op, Output ddy) {
    Output y = tf.math.conj(op.input(0));
    Output weights = tf.math.scale(tf.math.conj(ddy), -1.5);
    Output ofY = tf.mul(tf.mul(weights, op.input(1)), tf.square(y));
    return List.of(ofY, tf.math.rsqrtGrad(y, ddy));
  }

  static List<Output> reciprocalGrad(Ops tf, Operation op, Output ddy) {
    Output y = tf.math.conj(op.input(0));
    Output weights = tf.math.scale(tf.math.conj(ddy), -2);
    Output ofY = tf.mul(tf.mul(weights, op.input(1)), y);
    return List.of(ofY, tf.math.reciprocalGrad(y, ddy));
  }

  /** Flows between real and complex numbers only. */
  static List<GradientValue> cast(Ops tf, Operation op, Output dy) {
    DataType from = op.input(0).type();
    DataType to = dy.type();
    boolean flows = (from.isFloating() || from.isComplex()) && (to.isFloating() || to.isComplex());
    return List.of(flows ? tf.cast(dy, from) : GradientValue.none());
  }

  private static Output divided(Ops tf, Operation op, Output x, Output y) {
    return tf.scope().operation(op.type()).input(x).input(y).buildOutput();
  }
}
