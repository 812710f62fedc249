package dev.tributary.internal.kernel;

import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.UnaryLoop;
import dev.tributary.tensor.DataType;

/**
 * The hot primitives, behind one seam: {@code kernel.plain} defines them in plain Java, and a
 * native twin must give the same results up to rounding. All tensors are passed by the address of
 * their first element in native memory and are dense unless a parameter says otherwise; the caller
 * owns them, has checked their sizes against the geometry, and keeps them alive during the call.
 * Outputs are overwritten whole, must not overlap inputs except where said, and need no initial
 * value. Empty tensors are allowed everywhere; their addresses are not touched.
 *
 * <p>Geometries are values with {@code equals} and {@code hashCode}, so that a backend can cache
 * what it prepares for them. Element types are FLOAT and DOUBLE unless said otherwise; other types
 * fail with UNIMPLEMENTED. Safe for use by many threads.
 */
public interface Backend {
  /** The threads among which kernels may share large work that is no primitive. */
  ParallelFor parallel();

  /** Matrix products as {@link GemmGeometry} says. */
  void gemm(GemmGeometry geometry, long a, long b, long c);

  /**
   * The same with an epilogue; FLOAT or DOUBLE, not accumulating. {@code bias} is a vector of n
   * elements, and not looked at if the epilogue has none.
   */
  void gemm(GemmGeometry geometry, Epilogue epilogue, long a, long b, long bias, long c);

  /**
   * {@code output = convolution of input with filter}, a cross-correlation as in Conv2D and
   * DepthwiseConv2dNative.
   */
  void convolution(DataType type, ConvGeometry geometry, long input, long filter, long output);

  /**
   * The same with an epilogue. {@code bias} is a vector of outChannels elements, and not looked at
   * if the epilogue has none.
   */
  void convolution(
      DataType type,
      ConvGeometry geometry,
      Epilogue epilogue,
      long input,
      long filter,
      long bias,
      long output);

  /**
   * The activation of {@link #batchNormInference} of {@link #convolution}, FLOAT. The vectors of
   * the normalisation have outChannels elements.
   */
  void normalizedConvolution(
      ConvGeometry geometry,
      float epsilon,
      Activation activation,
      long input,
      long filter,
      Affine affine,
      Moments moments,
      long output);

  /** The gradient of {@link #convolution} with respect to its input. */
  void convolutionInputGradient(
      DataType type, ConvGeometry geometry, long filter, long outputGradient, long inputGradient);

  /** The gradient of {@link #convolution} with respect to its filter. */
  void convolutionFilterGradient(
      DataType type, ConvGeometry geometry, long input, long outputGradient, long filterGradient);

  /**
   * The largest value of each window, where padding and NaN do not count; the lowest finite value
   * for a window without elements.
   */
  void maxPool(DataType type, PoolGeometry geometry, long input, long output);

  /**
   * Sends each output gradient to the largest input of its window, to the first in row-major order
   * if there are several; an input's gradient is the sum of what it gets. This is MaxPoolGrad,
   * which needs no pooled output.
   */
  void maxPoolGradient(
      DataType type, PoolGeometry geometry, long input, long outputGradient, long inputGradient);

  /** The mean of each window, where padding does not count; 0 for a window without elements. */
  void averagePool(DataType type, PoolGeometry geometry, long input, long output);

  void averagePoolGradient(
      DataType type, PoolGeometry geometry, long outputGradient, long inputGradient);

  /**
   * {@code output[i, j] = exp(logits[i, j]) / sum_j exp(logits[i, j])}, safe for large logits. May
   * work in place.
   */
  void softmax(SoftmaxGeometry geometry, long logits, long output);

  /** The logarithm of {@link #softmax}. May work in place. */
  void logSoftmax(SoftmaxGeometry geometry, long logits, long output);

  /**
   * {@code loss[i] = -sum_j labels[i, j] * logSoftmax(logits)[i, j]} and {@code backprop =
   * softmax(logits) - labels}, a dense matrix of rows x classes. Logits and labels may be
   * broadcast. An infinite logit makes the loss NaN even where its label is 0, as in TensorFlow.
   */
  void softmaxCrossEntropy(
      SoftmaxGeometry geometry, RowsView logits, RowsView labels, long loss, long backprop);

  /**
   * The same with one class number a row. {@code labelType} is INT32 or INT64. A label outside of 0
   * to classes - 1 is an INVALID_ARGUMENT, and then outputs are undefined.
   */
  void sparseSoftmaxCrossEntropy(
      SoftmaxGeometry geometry,
      DataType labelType,
      long logits,
      long labels,
      long loss,
      long backprop);

  /**
   * Batch normalisation of FLOAT tensors with the statistics of this batch: {@code y = (x - mean) /
   * sqrt(variance + epsilon) * scale + offset} for each channel. {@code saved} receives the batch's
   * mean and (biased) variance, for the gradient. {@code updated} receives {@code (1 - factor) *
   * old + factor * batch}, where the batch's variance is multiplied by n / max(n - 1, 1); the old
   * values are not read when {@code factor} is 1. A batch without elements gives NaN for the
   * updated values and 0 for the saved ones.
   */
  void batchNormTraining(
      ChannelGeometry geometry,
      float epsilon,
      float factor,
      long x,
      Affine affine,
      Moments old,
      long y,
      Moments updated,
      Moments saved);

  /** Batch normalisation of FLOAT tensors with given statistics. */
  void batchNormInference(
      ChannelGeometry geometry, float epsilon, long x, Affine affine, Moments moments, long y);

  /**
   * The gradients of batch normalisation, FLOAT. With {@code training}, the moments are those that
   * {@link #batchNormTraining} saved and depend on x; otherwise they are constants.
   */
  void batchNormGradient(
      ChannelGeometry geometry,
      float epsilon,
      boolean training,
      long yGradient,
      long x,
      long scale,
      Moments moments,
      long xGradient,
      Affine affineGradient);

  /** Local response normalisation as {@link ResponseNormGeometry} says. */
  void localResponseNorm(ResponseNormGeometry geometry, long input, long output);

  /** The gradient of {@link #localResponseNorm}, given its input and output. */
  void localResponseNormGradient(
      ResponseNormGeometry geometry,
      long input,
      long output,
      long outputGradient,
      long inputGradient);

  /**
   * {@code output[i] = f(input[i])} for dense tensors of {@code count} elements of any type that
   * the loop knows. May work in place if the loop may.
   */
  void elementWise(UnaryLoop loop, DataType type, long count, long input, long output);

  /**
   * {@code output[i] = f(left[i], right[i])} with broadcasting, for any type that the loop knows.
   * May work in place if the loop may.
   */
  void elementWise(
      BinaryLoop loop, DataType type, Broadcast walk, long left, long right, long output);

  /** {@code output = value + bias} with one bias a channel. May work in place. */
  void biasAdd(DataType type, ChannelGeometry geometry, long value, long bias, long output);

  /** The sum of {@code outputGradient} over everything but the channels. */
  void biasAddGradient(
      DataType type, ChannelGeometry geometry, long outputGradient, long biasGradient);
}
