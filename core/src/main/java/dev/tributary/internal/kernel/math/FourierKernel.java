package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Fourier transforms over the last dimensions, forwards or back, of complex or real signals. The
 * spectrum of a real signal has only its first half, n / 2 + 1 of n elements: the others are the
 * conjugates of these.
 */
public final class FourierKernel implements Kernel {
  private final int rank;
  private final boolean inverse;
  private final boolean real;
  private final boolean typesFit;

  /** The transforms of the last call, by dimension; most calls are of the same lengths. */
  private volatile FourierTransform[] last = {};

  private FourierKernel(int rank, boolean inverse, KernelNode node) {
    this.rank = rank;
    this.inverse = inverse;
    DataType input = node.inputTypes().get(0);
    DataType output = node.outputTypes().get(0);
    this.real = !input.isComplex() || !output.isComplex();
    this.typesFit = isDouble(input) == isDouble(output);
  }

  /** Transforms over the last {@code rank} dimensions. */
  public static KernelFactory forward(int rank) {
    return node -> new FourierKernel(rank, false, node);
  }

  /** The same back, which divides by the number of elements transformed. */
  public static KernelFactory inverse(int rank) {
    return node -> new FourierKernel(rank, true, node);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor input = context.input(0);
    Shape shape = input.shape();
    if (shape.rank() < rank) {
      throw TributaryException.invalidArgument(
          "Input must have rank of at least %d but got: %s", rank, shape);
    }
    long[] lengths =
        real
            ? fftLengths(context.input(1), shape)
            : shape.slice(shape.rank() - rank, shape.rank()).toArray();
    if (!typesFit) {
      throw TributaryException.invalidArgument(
          "a transform of %s gives another precision, %s",
          input.type().lowerName(), context.outputType(0).lowerName());
    }
    FourierBlock block = new FourierBlock(input.type(), context.outputType(0), inverse, lengths);
    Tensor output = context.allocateOutput(0, outputShape(shape, block));
    if (output.elementCount() == 0) {
      return;
    }
    if (input.elementCount() == 0) {
      throw TributaryException.invalidArgument(
          "an input of shape %s has no elements to transform into %s", shape, output.shape());
    }
    run(context, block, input, output);
  }

  private void run(KernelContext context, FourierBlock block, Tensor input, Tensor output) {
    FourierTransform[] transforms = transforms(block.lengths());
    Shape in = input.shape().slice(input.rank() - rank, input.rank());
    Shape out = output.shape().slice(output.rank() - rank, output.rank());
    long inBytes = in.elementCount() * input.type().size();
    long outBytes = out.elementCount() * output.type().size();
    long blocks = output.elementCount() / out.elementCount();
    long from = input.storage().address();
    long to = output.storage().address();
    // A few thousand elements are worth a thread.
    long grain = Math.max(1, (1 << 12) / block.elementCount());
    context
        .device()
        .backend()
        .parallel()
        .range(
            blocks,
            grain,
            (first, end) -> {
              FourierBlock.Work work = block.newWork(transforms);
              for (long i = first; i < end; i++) {
                work.load(from + i * inBytes, in);
                work.transform();
                work.store(to + i * outBytes, out);
              }
            });
  }

  /** Checks the lengths as a real transform is given them. */
  private long[] fftLengths(Tensor given, Shape shape) {
    if (given.rank() != 1 || given.elementCount() != rank) {
      throw TributaryException.invalidArgument(
          "fft_length must have shape [%d], got %s", rank, given.shape());
    }
    long[] lengths = given.toIndices();
    for (int i = 0; i < rank; i++) {
      if (lengths[i] < 0) {
        throw TributaryException.invalidArgument(
            "fft_length[%d] must be at least 0, got %d", i, lengths[i]);
      }
      long least = inverse && i == rank - 1 ? lengths[i] / 2 + 1 : lengths[i];
      int dimension = shape.rank() - rank + i;
      long size = shape.size(dimension);
      if (size != 0 && size < least) {
        throw TributaryException.invalidArgument(
            "Input dimension %d must have length of at least %d but got: %d",
            dimension, least, size);
      }
    }
    return lengths;
  }

  private Shape outputShape(Shape input, FourierBlock block) {
    Shape result = input;
    for (int i = 0; i < rank; i++) {
      boolean half = real && !inverse && i == rank - 1;
      long length = block.lengths()[i];
      result =
          result.withSize(input.rank() - rank + i, half && length != 0 ? length / 2 + 1 : length);
    }
    return result;
  }

  private FourierTransform[] transforms(long[] lengths) {
    FourierTransform[] known = last;
    FourierTransform[] transforms = new FourierTransform[lengths.length];
    for (int i = 0; i < lengths.length; i++) {
      // Bluestein's way takes arrays of up to eight doubles an element.
      int length = ArrayLength.of(8 * lengths[i]) / 8;
      boolean same = i < known.length && known[i].length() == length;
      transforms[i] = same ? known[i] : FourierTransform.of(length);
    }
    last = transforms;
    return transforms;
  }

  private static boolean isDouble(DataType type) {
    return type == DataType.DOUBLE || type == DataType.COMPLEX128;
  }
}
