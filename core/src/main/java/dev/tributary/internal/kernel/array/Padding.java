package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The number of elements that a Pad puts before and behind each dimension, and the kernels of Pad
 * and MirrorPad. Immutable.
 *
 * @param before one number a dimension, as {@code after}
 */
public record Padding(long[] before, long[] after) {
  /** Reads a matrix with a row of two for each dimension of a tensor of this rank. */
  public static Padding of(Tensor paddings, int rank) {
    Shape shape = paddings.shape();
    if (shape.rank() != 2 || shape.size(1) != 2) {
      throw TributaryException.invalidArgument(
          "paddings must be a matrix with 2 columns: %s", shape);
    }
    if (shape.size(0) != rank) {
      throw TributaryException.invalidArgument(
          "The first dimension of paddings must be the rank of inputs, got %s for rank %d",
          shape, rank);
    }
    Padding padding = new Padding(new long[rank], new long[rank]);
    for (int i = 0; i < rank; i++) {
      padding.before[i] = paddings.getIndex(2L * i);
      padding.after[i] = paddings.getIndex(2L * i + 1);
      if (padding.before[i] < 0 || padding.after[i] < 0) {
        throw TributaryException.invalidArgument(
            "Paddings must be non-negative: %d %d", padding.before[i], padding.after[i]);
      }
    }
    return padding;
  }

  /** Returns the shape after padding. */
  public Shape padded(Shape input) {
    long[] sizes = input.toArray();
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = sizes[i] == Shape.UNKNOWN ? Shape.UNKNOWN : before[i] + sizes[i] + after[i];
    }
    return Shape.of(sizes);
  }

  /** Returns the shape before padding. */
  public Shape unpadded(Shape padded) {
    long[] sizes = padded.toArray();
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] != Shape.UNKNOWN) {
        sizes[i] -= before[i] + after[i];
        if (sizes[i] < 0) {
          throw TributaryException.invalidArgument(
              "paddings %d and %d do not fit into dimension %d of %s",
              before[i], after[i], i, padded);
        }
      }
    }
    return Shape.of(sizes);
  }

  /** Pads with zeros, or with the scalar in input 2 if there is one. */
  public static void pad(KernelContext context) {
    Tensor input = context.input(0);
    Padding padding = of(context.input(1), input.rank());
    Shape shape = padding.padded(input.shape());
    if (context.inputCount() > 2) {
      IndexTensors.requireScalar(context.input(2), "constant_values");
    }
    if (shape.equals(input.shape())) {
      context.setOutput(0, input.retain());
      return;
    }
    Tensor output = context.allocateOutput(0, shape);
    if (context.inputCount() > 2) {
      Fill.with(context.input(2), output);
    } else {
      Fill.zeros(output);
    }
    padding.putInside(input, output);
  }

  /** Copies a tensor into the inside of its padded form. */
  void putInside(Tensor inner, Tensor padded) {
    long[] strides = padded.shape().strides();
    Moves.copy(
        inner.shape().toArray(),
        inner,
        0,
        inner.shape().strides(),
        padded,
        offset(strides),
        strides);
  }

  /** Copies the inside of a padded tensor. */
  void takeInside(Tensor padded, Tensor inner) {
    long[] strides = padded.shape().strides();
    Moves.copy(
        inner.shape().toArray(),
        padded,
        offset(strides),
        strides,
        inner,
        0,
        inner.shape().strides());
  }

  private long offset(long[] strides) {
    long offset = 0;
    for (int i = 0; i < strides.length; i++) {
      offset += before[i] * strides[i];
    }
    return offset;
  }
}
