package dev.tributary.internal.kernel.plain;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.Affine;
import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.ChannelGeometry;
import dev.tributary.internal.kernel.ConvGeometry;
import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.kernel.GemmGeometry;
import dev.tributary.internal.kernel.Moments;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.PoolGeometry;
import dev.tributary.internal.kernel.ResponseNormGeometry;
import dev.tributary.internal.kernel.RowsView;
import dev.tributary.internal.kernel.SoftmaxGeometry;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.UnaryLoop;
import dev.tributary.tensor.DataType;

/**
 * The {@link Backend} in plain Java. Thread-safe; it keeps about a MiB of scratch arrays for each
 * thread that multiplies matrices. The caller owns the {@link ParallelFor}. A native twin extends
 * it.
 */
public class PlainBackend implements Backend {
  /**
   * Element-wise work on so few elements is not shared: a thread does it in about the time that it
   * takes to wake another one.
   */
  private static final long ELEMENTS = 1 << 17;

  private final ParallelFor parallel;
  private final Gemm gemm;
  private final Convolution convolution;
  private final DepthwiseConvolution depthwise;
  private final Pooling pooling;
  private final Softmax softmax;
  private final BatchNorm batchNorm;
  private final Bias bias;

  public PlainBackend(ParallelFor parallel) {
    this.parallel = parallel;
    gemm = new Gemm(parallel);
    convolution = new Convolution(gemm);
    depthwise = new DepthwiseConvolution(parallel);
    pooling = new Pooling(parallel);
    softmax = new Softmax(parallel);
    batchNorm = new BatchNorm(parallel);
    bias = new Bias(parallel);
  }

  @Override
  public ParallelFor parallel() {
    return parallel;
  }

  @Override
  public void gemm(GemmGeometry geometry, long a, long b, long c) {
    gemm.run(geometry, a, b, c);
  }

  @Override
  public void gemm(GemmGeometry geometry, Epilogue epilogue, long a, long b, long bias, long c) {
    final Reals reals = Reals.of(geometry.type());
    if (geometry.accumulate()) {
      throw TributaryException.invalidArgument("a product with an epilogue cannot accumulate");
    }
    gemm(geometry, a, b, c);
    final long rows = geometry.batch() * geometry.m();
    this.bias.finish(reals, new ChannelGeometry(rows, geometry.n(), 1), epilogue, bias, c);
  }

  @Override
  public void convolution(
      DataType type, ConvGeometry geometry, long input, long filter, long output) {
    final Reals reals = Reals.of(type);
    if (geometry.isDepthwise()) {
      depthwise.forward(reals, geometry, input, filter, output);
    } else {
      convolution.forward(type, geometry, input, filter, output);
    }
  }

  @Override
  public void convolution(
      DataType type,
      ConvGeometry geometry,
      Epilogue epilogue,
      long input,
      long filter,
      long bias,
      long output) {
    convolution(type, geometry, input, filter, output);
    this.bias.finish(Reals.of(type), outputChannels(geometry), epilogue, bias, output);
  }

  @Override
  public void normalizedConvolution(
      ConvGeometry geometry,
      float epsilon,
      Activation activation,
      long input,
      long filter,
      Affine affine,
      Moments moments,
      long output) {
    convolution(DataType.FLOAT, geometry, input, filter, output);
    final ChannelGeometry channels = outputChannels(geometry);
    batchNorm.inference(channels, epsilon, output, affine, moments, output);
    final Epilogue epilogue = new Epilogue(false, activation);
    bias.finish(Reals.of(DataType.FLOAT), channels, epilogue, 0, output);
  }

  private static ChannelGeometry outputChannels(ConvGeometry geometry) {
    final long pixels = geometry.height().output() * geometry.width().output();
    return ChannelGeometry.of(geometry.format(), geometry.batch(), pixels, geometry.outChannels());
  }

  @Override
  public void convolutionInputGradient(
      DataType type, ConvGeometry geometry, long filter, long outputGradient, long inputGradient) {
    final Reals reals = Reals.of(type);
    if (geometry.isDepthwise()) {
      depthwise.inputGradient(reals, geometry, filter, outputGradient, inputGradient);
    } else {
      convolution.inputGradient(type, geometry, filter, outputGradient, inputGradient);
    }
  }

  @Override
  public void convolutionFilterGradient(
      DataType type, ConvGeometry geometry, long input, long outputGradient, long filterGradient) {
    final Reals reals = Reals.of(type);
    if (geometry.isDepthwise()) {
      depthwise.filterGradient(reals, geometry, input, outputGradient, filterGradient);
    } else {
      convolution.filterGradient(type, geometry, input, outputGradient, filterGradient);
    }
  }

  @Override
  public void maxPool(DataType type, PoolGeometry geometry, long input, long output) {
    pooling.max(Reals.of(type), geometry, input, output);
  }

  @Override
  public void maxPoolGradient(
      DataType type, PoolGeometry geometry, long input, long outputGradient, long inputGradient) {
    pooling.maxGradient(Reals.of(type), geometry, input, outputGradient, inputGradient);
  }

  @Override
  public void averagePool(DataType type, PoolGeometry geometry, long input, long output) {
    pooling.average(Reals.of(type), geometry, input, output);
  }

  @Override
  public void averagePoolGradient(
      DataType type, PoolGeometry geometry, long outputGradient, long inputGradient) {
    pooling.averageGradient(Reals.of(type), geometry, outputGradient, inputGradient);
  }

  @Override
  public void softmax(SoftmaxGeometry geometry, long logits, long output) {
    softmax.softmax(geometry, logits, output);
  }

  @Override
  public void logSoftmax(SoftmaxGeometry geometry, long logits, long output) {
    softmax.logSoftmax(geometry, logits, output);
  }

  @Override
  public void softmaxCrossEntropy(
      SoftmaxGeometry geometry, RowsView logits, RowsView labels, long loss, long backprop) {
    softmax.crossEntropy(geometry, logits, labels, loss, backprop);
  }

  @Override
  public void sparseSoftmaxCrossEntropy(
      SoftmaxGeometry geometry,
      DataType labelType,
      long logits,
      long labels,
      long loss,
      long backprop) {
    softmax.sparseCrossEntropy(geometry, labelType, logits, labels, loss, backprop);
  }

  @Override
  public void batchNormTraining(
      ChannelGeometry geometry,
      float epsilon,
      float factor,
      long x,
      Affine affine,
      Moments old,
      long y,
      Moments updated,
      Moments saved) {
    batchNorm.training(geometry, epsilon, factor, x, affine, old, y, updated, saved);
  }

  @Override
  public void batchNormInference(
      ChannelGeometry geometry, float epsilon, long x, Affine affine, Moments moments, long y) {
    batchNorm.inference(geometry, epsilon, x, affine, moments, y);
  }

  @Override
  public void batchNormGradient(
      ChannelGeometry geometry,
      float epsilon,
      boolean training,
      long yGradient,
      long x,
      long scale,
      Moments moments,
      long xGradient,
      Affine affineGradient) {
    batchNorm.gradient(
        geometry, epsilon, training, yGradient, x, scale, moments, xGradient, affineGradient);
  }

  @Override
  public void localResponseNorm(ResponseNormGeometry geometry, long input, long output) {
    new ResponseNorm(parallel, geometry).forward(input, output);
  }

  @Override
  public void localResponseNormGradient(
      ResponseNormGeometry geometry,
      long input,
      long output,
      long outputGradient,
      long inputGradient) {
    new ResponseNorm(parallel, geometry).gradient(input, output, outputGradient, inputGradient);
  }

  @Override
  public void elementWise(UnaryLoop loop, DataType type, long count, long input, long output) {
    if (count <= ELEMENTS) {
      loop.run(type, input, output, count);
      return;
    }
    final long resultSize = loop.resultType(type).size();
    parallel.range(
        count,
        ELEMENTS,
        (from, to) ->
            loop.run(type, input + from * type.size(), output + from * resultSize, to - from));
  }

  @Override
  public void elementWise(
      BinaryLoop loop, DataType type, Broadcast walk, long left, long right, long output) {
    if (walk.elementCount() <= ELEMENTS || !walk.isFlat()) {
      loop.run(type, left, right, output, walk);
      return;
    }
    parallel.range(
        walk.elementCount(),
        ELEMENTS,
        (from, to) -> loop.run(type, left, right, output, walk, from, to));
  }

  @Override
  public void biasAdd(DataType type, ChannelGeometry geometry, long value, long bias, long output) {
    this.bias.add(Reals.of(type), geometry, value, bias, output);
  }

  @Override
  public void biasAddGradient(
      DataType type, ChannelGeometry geometry, long outputGradient, long biasGradient) {
    bias.gradient(Reals.of(type), geometry, outputGradient, biasGradient);
  }
}
