package dev.tributary.ops;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import java.util.List;

/**
 * The ops that programs write every day, by TensorFlow's names. The families have the rest. What an
 * op does is said in TensorFlow's documentation of the same name.
 */
abstract sealed class CommonOps extends OpFamilies permits Ops {
  CommonOps(Scope scope) {
    super(scope);
  }

  // ---- arithmetic ----

  public Output add(Operand x, Operand y) {
    return math.add(x, y);
  }

  public Output sub(Operand x, Operand y) {
    return math.sub(x, y);
  }

  public Output mul(Operand x, Operand y) {
    return math.mul(x, y);
  }

  /** Division where integers are cut towards zero. */
  public Output div(Operand x, Operand y) {
    return math.div(x, y);
  }

  public Output maximum(Operand x, Operand y) {
    return math.maximum(x, y);
  }

  public Output minimum(Operand x, Operand y) {
    return math.minimum(x, y);
  }

  public Output pow(Operand x, Operand y) {
    return math.pow(x, y);
  }

  public Output squaredDifference(Operand x, Operand y) {
    return math.squaredDifference(x, y);
  }

  /** The sum of tensors of one shape. */
  public Output addN(List<? extends Operand> inputs) {
    return math.addN(inputs);
  }

  public Output neg(Operand x) {
    return math.neg(x);
  }

  public Output abs(Operand x) {
    return math.abs(x);
  }

  public Output square(Operand x) {
    return math.square(x);
  }

  public Output sqrt(Operand x) {
    return math.sqrt(x);
  }

  public Output exp(Operand x) {
    return math.exp(x);
  }

  public Output log(Operand x) {
    return math.log(x);
  }

  /** The elements converted to another type; x itself if it has that type. */
  public Output cast(Operand x, DataType type) {
    return math.cast(x, type);
  }

  // ---- linear algebra ----

  public Output matMul(Operand a, Operand b) {
    return linalg.matMul(a, b);
  }

  public Output matMul(Operand a, Operand b, boolean transposeA, boolean transposeB) {
    return linalg.matMul(a, b, transposeA, transposeB);
  }

  // ---- comparisons and choices ----

  public Output equal(Operand x, Operand y) {
    return math.equal(x, y);
  }

  public Output notEqual(Operand x, Operand y) {
    return math.notEqual(x, y);
  }

  public Output less(Operand x, Operand y) {
    return math.less(x, y);
  }

  public Output lessEqual(Operand x, Operand y) {
    return math.lessEqual(x, y);
  }

  public Output greater(Operand x, Operand y) {
    return math.greater(x, y);
  }

  public Output greaterEqual(Operand x, Operand y) {
    return math.greaterEqual(x, y);
  }

  public Output logicalAnd(Operand x, Operand y) {
    return math.logicalAnd(x, y);
  }

  public Output logicalOr(Operand x, Operand y) {
    return math.logicalOr(x, y);
  }

  public Output logicalNot(Operand x) {
    return math.logicalNot(x);
  }

  /**
   * Elements of {@code then} where the condition is true, of {@code otherwise} elsewhere; all three
   * are broadcast.
   */
  public Output where(Operand condition, Operand then, Operand otherwise) {
    return math.select(condition, then, otherwise);
  }

  /** The coordinates of the elements that are true, or not zero. */
  public Output where(Operand input) {
    return array.where(input);
  }

  // ---- reductions ----

  public Output sum(Operand x, int... axes) {
    return math.sum(x, axes);
  }

  /** With {@code keepDims}, folded dimensions stay with size 1. */
  public Output sum(Operand x, boolean keepDims, int... axes) {
    return math.sum(x, keepDims, axes);
  }

  public Output mean(Operand x, int... axes) {
    return math.mean(x, axes);
  }

  /** With {@code keepDims}, folded dimensions stay with size 1. */
  public Output mean(Operand x, boolean keepDims, int... axes) {
    return math.mean(x, keepDims, axes);
  }

  public Output prod(Operand x, int... axes) {
    return math.prod(x, axes);
  }

  /** With {@code keepDims}, folded dimensions stay with size 1. */
  public Output prod(Operand x, boolean keepDims, int... axes) {
    return math.prod(x, keepDims, axes);
  }

  public Output max(Operand x, int... axes) {
    return math.max(x, axes);
  }

  /** With {@code keepDims}, folded dimensions stay with size 1. */
  public Output max(Operand x, boolean keepDims, int... axes) {
    return math.max(x, keepDims, axes);
  }

  public Output min(Operand x, int... axes) {
    return math.min(x, axes);
  }

  /** With {@code keepDims}, folded dimensions stay with size 1. */
  public Output min(Operand x, boolean keepDims, int... axes) {
    return math.min(x, keepDims, axes);
  }

  /** Returns where the greatest element lies along an axis, as int64. */
  public Output argMax(Operand x, int axis) {
    return math.argMax(x, axis);
  }

  // ---- shapes and elements ----

  public Output identity(Operand input) {
    return array.identity(input);
  }

  /** The input, through which no gradient flows. */
  public Output stopGradient(Operand input) {
    return array.stopGradient(input);
  }

  public Output zerosLike(Operand x) {
    return array.zerosLike(x);
  }

  public Output onesLike(Operand x) {
    return array.onesLike(x);
  }

  public Output fill(Operand dims, Operand value) {
    return array.fill(dims, value);
  }

  /** The sizes of a tensor as an int32 vector. */
  public Output shape(Operand input) {
    return array.shape(input);
  }

  /** The number of elements as an int32 scalar. */
  public Output size(Operand input) {
    return array.size(input);
  }

  public Output reshape(Operand tensor, Operand shape) {
    return array.reshape(tensor, shape);
  }

  /** The same elements in another shape; one size may be -1 for what is left over. */
  public Output reshape(Operand tensor, long... sizes) {
    return array.reshape(tensor, sizes);
  }

  public Output expandDims(Operand input, int dimension) {
    return array.expandDims(input, dimension);
  }

  /**
   * The input without the given dimensions of size 1, or without all such dimensions if none are
   * given.
   */
  public Output squeeze(Operand input, long... dimensions) {
    return array.squeeze(input, dimensions);
  }

  public Output transpose(Operand x, int... perm) {
    return array.transpose(x, perm);
  }

  public Output concat(int axis, List<? extends Operand> values) {
    return array.concat(axis, values);
  }

  public Output concat(int axis, Operand... values) {
    return array.concat(axis, values);
  }

  /** Tensors of one shape beside each other along a new first axis. */
  public Output stack(Operand... values) {
    return array.stack(values);
  }

  /** Equal parts along an axis, whose size {@code count} divides. */
  public List<Output> split(Operand value, int count, int axis) {
    return array.split(value, count, axis);
  }

  /** The tensors that lie beside each other along an axis of known size, which vanishes. */
  public List<Output> unstack(Operand value, int axis) {
    return array.unstack(value, axis);
  }

  public Output slice(Operand input, int[] begin, int[] size) {
    return array.slice(input, begin, size);
  }

  /** The rows of {@code params} that the indices name. */
  public Output gather(Operand params, Operand indices) {
    return array.gather(params, indices);
  }

  /** The slices along an axis that the indices name. */
  public Output gather(Operand params, Operand indices, int axis) {
    return array.gather(params, indices, axis);
  }

  /** A float one at each index along a new last axis, and zeros elsewhere. */
  public Output oneHot(Operand indices, int depth) {
    return array.oneHot(indices, depth);
  }

  /** The numbers from start by steps of delta up to limit, which is left out. */
  public Output range(Operand start, Operand limit, Operand delta) {
    return math.range(start, limit, delta);
  }

  // ---- neural networks ----

  /** The positive part: {@code max(x, 0)}. */
  public Output relu(Operand features) {
    return nn.relu(features);
  }

  public Output sigmoid(Operand x) {
    return math.sigmoid(x);
  }

  public Output tanh(Operand x) {
    return math.tanh(x);
  }

  /** Probabilities from logits, along the last dimension. */
  public Output softmax(Operand logits) {
    return nn.softmax(logits);
  }

  /** Adds a vector to the last dimension. */
  public Output biasAdd(Operand value, Operand bias) {
    return nn.biasAdd(value, bias);
  }

  public Output biasAdd(Operand value, Operand bias, DataFormat format) {
    return nn.biasAdd(value, bias, format.name());
  }

  /**
   * A convolution of NHWC images with a filter [height, width, input channels, output channels].
   */
  public Output conv2d(Operand input, Operand filter, int stride, Padding padding) {
    return nn.conv2d(input, filter, stride, padding);
  }

  public Output conv2d(Operand input, Operand filter, ConvOptions options) {
    return nn.conv2d(input, filter, options);
  }

  /** The largest value of each square window of NHWC images. */
  public Output maxPool(Operand input, int size, int stride, Padding padding) {
    return nn.maxPool(input, size, stride, padding);
  }

  public Output maxPool(Operand input, int height, int width, ConvOptions options) {
    return nn.maxPool(input, height, width, options);
  }

  /** The mean of each square window of NHWC images, where padding does not count. */
  public Output avgPool(Operand input, int size, int stride, Padding padding) {
    return nn.avgPool(input, size, stride, padding);
  }

  public Output avgPool(Operand input, int height, int width, ConvOptions options) {
    return nn.avgPool(input, height, width, options);
  }

  // ---- running ----

  /** An operation that does nothing: a point to wait for. */
  public Operation noOp() {
    return flow.noOp();
  }

  /** An operation that has run when all of these have. */
  public Operation group(List<Operation> operations) {
    return flow.group(operations);
  }

  /** One operation that initializes all variables made so far. */
  public Operation globalVariablesInitializer() {
    return state.globalVariablesInitializer();
  }
}
