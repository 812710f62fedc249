package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernels of Roll and ReverseSequence, which move elements along an axis. */
public final class Rolling {
  private Rolling() {}

  /**
   * Inputs: a tensor, shifts, and the axis of each; elements that leave at one end come in again.
   */
  public static void roll(KernelContext context) {
    Tensor input = context.input(0);
    Shape shape = input.shape();
    long[] shifts = shifts(context, shape);
    Tensor output = context.allocateOutput(0, shape);
    if (input.elementCount() == 0) {
      return;
    }
    int rank = shape.rank();
    long[] strides = shape.strides();
    long[] sizes = new long[rank];
    // A shifted axis is moved in two parts, and those of all axes are combined.
    for (long parts = 0; parts < 1L << rank; parts++) {
      long from = 0;
      long to = 0;
      boolean empty = false;
      for (int i = 0; i < rank; i++) {
        boolean wrapped = (parts >> i & 1) == 1;
        sizes[i] = wrapped ? shifts[i] : shape.size(i) - shifts[i];
        from += wrapped ? (shape.size(i) - shifts[i]) * strides[i] : 0;
        to += wrapped ? 0 : shifts[i] * strides[i];
        empty |= sizes[i] == 0;
      }
      if (!empty) {
        Moves.copy(sizes, input, from, strides, output, to, strides);
      }
    }
  }

  /** The shift of each axis, from 0 to its size. */
  private static long[] shifts(KernelContext context, Shape shape) {
    Tensor shift = context.input(1);
    Tensor axis = context.input(2);
    if (shape.rank() < 1) {
      throw TributaryException.invalidArgument("input must be 1-D or higher");
    }
    if (shift.rank() > 1 || axis.rank() > 1) {
      throw TributaryException.invalidArgument(
          "shift and axis must be scalars or 1-D vectors, got shapes %s and %s",
          shift.shape(), axis.shape());
    }
    if (!shift.shape().equals(axis.shape())) {
      throw TributaryException.invalidArgument(
          "shift and axis must have the same size, got shapes %s and %s",
          shift.shape(), axis.shape());
    }
    long[] shifts = new long[shape.rank()];
    for (long i = 0; i < shift.elementCount(); i++) {
      int at = Axes.resolve(axis.getIndex(i), shape.rank());
      long size = Math.max(1, shape.size(at));
      shifts[at] = (shifts[at] + Math.floorMod(shift.getIndex(i), size)) % size;
    }
    return shifts;
  }

  /** Inputs: a tensor, and how many elements of each batch are turned around. */
  public static Kernel reverseSequence(KernelNode node) {
    long sequence = node.attributes().integer("seq_dim");
    long batch = node.attributes().integer("batch_dim");
    return context -> {
      Tensor input = context.input(0);
      requireAxes(sequence, batch, input.shape());
      long[] lengths = IndexTensors.vector(context.input(1), "seq_lengths");
      requireLengths(lengths, input.shape(), (int) sequence, (int) batch);
      Tensor output = context.allocateOutput(0, input.shape());
      Moves.rows(1, input.elementCount(), input, 0, 0, output, 0, 0);
      if (input.elementCount() > 0) {
        reverse(input, lengths, (int) sequence, (int) batch, output);
      }
    };
  }

  private static void reverse(
      Tensor input, long[] lengths, int sequence, int batch, Tensor output) {
    long[] strides = input.shape().strides();
    long[] backwards = strides.clone();
    backwards[sequence] = -strides[sequence];
    long[] sizes = input.shape().toArray();
    sizes[batch] = 1;
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] > 1) {
        sizes[sequence] = lengths[i];
        long start = i * strides[batch];
        long last = start + (lengths[i] - 1) * strides[sequence];
        Moves.copy(sizes, input, last, backwards, output, start, strides);
      }
    }
  }

  /** Fails unless these are two axes of a tensor of known rank. */
  public static void requireAxes(long sequence, long batch, Shape shape) {
    if (sequence == batch) {
      throw TributaryException.invalidArgument("batch_dim == seq_dim == %d", sequence);
    }
    if (sequence < 0 || sequence >= shape.rank() || batch < 0 || batch >= shape.rank()) {
      throw TributaryException.invalidArgument(
          "seq_dim and batch_dim must be < input rank ( %d and %d vs. %d)",
          sequence, batch, shape.rank());
    }
  }

  private static void requireLengths(long[] lengths, Shape shape, int sequence, int batch) {
    if (lengths.length != shape.size(batch)) {
      throw TributaryException.invalidArgument(
          "Length of seq_lengths != input.dims(%d), (%d vs. %d)",
          batch, lengths.length, shape.size(batch));
    }
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] < 0 || lengths[i] > shape.size(sequence)) {
        throw TributaryException.invalidArgument(
            "seq_lengths(%d) = %d is not in [0, input.dims(%d) = %d]",
            i, lengths[i], sequence, shape.size(sequence));
      }
    }
  }
}
