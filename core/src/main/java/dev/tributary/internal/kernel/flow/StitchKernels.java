package dev.tributary.internal.kernel.flow;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.Moves;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Puts the slices of several tensors together, and takes them apart. */
public final class StitchKernels {
  private StitchKernels() {}

  /**
   * Inputs: n index tensors, then n data tensors whose shapes start with the indices'. Later slices
   * win.
   */
  public static void stitch(KernelContext c) {
    int count = c.inputCount() / 2;
    Shape slice = sliceShape(c, count);
    long rows = 0;
    for (int i = 0; i < count; i++) {
      Tensor indices = c.input(i);
      for (long k = 0; k < indices.elementCount(); k++) {
        rows = Math.max(rows, indices.getInt(k) + 1L);
      }
    }
    Tensor merged =
        SharedTensors.zeros(c.allocator(), c.outputType(0), Shape.of(rows).concatenate(slice));
    c.setOutput(0, merged);
    long length = slice.elementCount();
    for (int i = 0; i < count; i++) {
      Tensor indices = c.input(i);
      for (long k = 0; k < indices.elementCount(); k++) {
        int row = indices.getInt(k);
        if (row < 0) {
          throw TributaryException.invalidArgument(
              "indices[%d] = %d is not in [0, %d)", k, row, rows);
        }
        Moves.rows(1, length, c.input(count + i), k * length, length, merged, row * length, length);
      }
    }
  }

  /** Inputs: data, then the number of the output for each slice of it. */
  public static void partition(KernelContext c, int count) {
    Tensor data = c.input(0);
    Tensor partitions = c.input(1);
    if (!startsWith(data.shape(), partitions.shape())) {
      throw TributaryException.invalidArgument(
          "data.shape must start with partitions.shape, got data.shape = %s, partitions.shape = %s",
          data.shape(), partitions.shape());
    }
    int[] numbers = partitions.toInts();
    long[] rows = new long[count];
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] < 0 || numbers[i] >= count) {
        throw TributaryException.invalidArgument(
            "partitions[%d] = %d is not in [0, %d)", i, numbers[i], count);
      }
      rows[numbers[i]]++;
    }
    Shape slice = data.shape().slice(partitions.rank(), data.rank());
    Tensor[] outputs = new Tensor[count];
    for (int i = 0; i < count; i++) {
      outputs[i] = c.allocateOutput(i, Shape.of(rows[i]).concatenate(slice));
      rows[i] = 0;
    }
    long length = slice.elementCount();
    for (int i = 0; i < numbers.length; i++) {
      int target = numbers[i];
      Moves.rows(
          1, length, data, i * length, length, outputs[target], rows[target]++ * length, length);
    }
  }

  private static Shape sliceShape(KernelContext c, int count) {
    Shape slice = null;
    for (int i = 0; i < count; i++) {
      Shape indices = c.input(i).shape();
      Shape data = c.input(count + i).shape();
      if (!startsWith(data, indices)) {
        throw TributaryException.invalidArgument(
            "data[%d].shape = %s does not start with indices[%d].shape = %s", i, data, i, indices);
      }
      Shape rest = data.slice(indices.rank(), data.rank());
      if (slice != null && !slice.equals(rest)) {
        throw TributaryException.invalidArgument(
            "Need data[0].shape[%d:] = data[%d].shape[%d:], got %s and %s",
            c.input(0).rank(), i, indices.rank(), slice, rest);
      }
      slice = rest;
    }
    return slice;
  }

  private static boolean startsWith(Shape shape, Shape prefix) {
    return shape.rank() >= prefix.rank() && shape.slice(0, prefix.rank()).equals(prefix);
  }
}
