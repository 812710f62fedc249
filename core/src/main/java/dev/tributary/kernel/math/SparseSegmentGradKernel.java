package dev.tributary.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.kernel.ArrayLength;
import dev.tributary.kernel.Kernel;
import dev.tributary.kernel.KernelContext;
import dev.tributary.kernel.KernelNode;
import dev.tributary.tensor.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Sends the gradient of each segment back to the rows that were picked for it; of a mean, each gets
 * its part.
 */
public final class SparseSegmentGradKernel implements Kernel {
  private final boolean averaged;

  public SparseSegmentGradKernel(KernelNode node, boolean averaged) {
    this.averaged = averaged;
    Arithmetic.REAL_DIVIDE.requireSupport(node.type());
  }

  @Override
  public void compute(KernelContext context) {
    Tensor gradient = context.input(0);
    Tensor indices = context.input(1);
    Tensor ids = context.input(2);
    long rowCount = context.input(3).getIndex(0);
    if (gradient.rank() == 0 || !indices.shape().equals(ids.shape()) || ids.rank() != 1) {
      throw TributaryException.invalidArgument(
          "segment_ids and indices should be vectors of the same size, got shapes %s and %s",
          ids.shape(), indices.shape());
    }
    long segments = gradient.shape().size(0);
    Shape row = gradient.shape().slice(1, gradient.rank());
    Tensor out = context.allocateOutput(0, Shape.of(rowCount).concatenate(row));
    Memory.fill(out.address(), out.byteSize(), (byte) 0);
    long[] counts = counts(ids, segments);
    RowSums rows = new RowSums(gradient.type(), row.elementCount());
    try (Tensor part = context.allocate(gradient.type(), gradient.shape())) {
      Memory.copy(gradient.address(), part.address(), gradient.byteSize());
      for (int i = 0; averaged && i < segments; i++) {
        rows.divide(part.address(), i, Math.max(1, counts[i]));
      }
      for (long i = 0; i < ids.elementCount(); i++) {
        rows.add(
            part.address(),
            ids.getIndex(i),
            out.address(),
            RowIndices.inRange(indices, i, rowCount));
      }
    }
  }

  private static long[] counts(Tensor ids, long segments) {
    long[] counts = new long[ArrayLength.of(segments)];
    for (long i = 0; i < ids.elementCount(); i++) {
      long id = ids.getIndex(i);
      if (id < 0 || id >= segments) {
        throw TributaryException.invalidArgument(
            "Segment id %d out of range [0, %d)", id, segments);
      }
      counts[(int) id]++;
    }
    return counts;
  }
}
