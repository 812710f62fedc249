package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.math.SparseSegmentKernel.Divisor;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * Sends the gradient of each segment back to the rows that were picked for it; of a mean, or of a
 * sum divided by the root of its count, each gets its part.
 */
public final class SparseSegmentGradKernel implements Kernel {
  private final Divisor divisor;

  public SparseSegmentGradKernel(KernelNode node, Divisor divisor) {
    this.divisor = divisor;
    Arithmetic.REAL_DIVIDE.requireSupport(node.type());
  }

  public static SparseSegmentGradKernel sqrtN(KernelNode node) {
    return new SparseSegmentGradKernel(node, Divisor.ROOT_OF_COUNT);
  }

  /**
   * Gives only the rows that indices name, in ascending order without repetition, and their
   * indices.
   */
  public void computeRows(KernelContext context) {
    Tensor indices = context.input(1);
    long limit = context.input(3).getIndex(0);
    long[] unique = new long[ArrayLength.of(indices.elementCount())];
    for (int i = 0; i < unique.length; i++) {
      unique[i] = RowIndices.inRange(indices, i, limit);
    }
    unique = Arrays.stream(unique).sorted().distinct().toArray();
    IndexTensors.setVector(context, 1, unique);
    long[] sorted = unique;
    send(context, sorted.length, index -> Arrays.binarySearch(sorted, index));
  }

  @Override
  public void compute(KernelContext context) {
    long rowCount = context.input(3).getIndex(0);
    send(context, rowCount, index -> index);
  }

  /** Adds the gradients to rows of the output: a row has the place that its index maps to. */
  private void send(KernelContext context, long rowCount, LongUnaryOperator place) {
    Tensor gradient = context.input(0);
    Tensor indices = context.input(1);
    Tensor ids = context.input(2);
    long limit = context.input(3).getIndex(0);
    if (gradient.rank() == 0 || !indices.shape().equals(ids.shape()) || ids.rank() != 1) {
      throw TributaryException.invalidArgument(
          "segment_ids and indices should be vectors of the same size, got shapes %s and %s",
          ids.shape(), indices.shape());
    }
    long segments = gradient.shape().size(0);
    Shape row = gradient.shape().slice(1, gradient.rank());
    Tensor out = context.allocateOutput(0, Shape.of(rowCount).concatenate(row));
    Memory.fill(out.storage().address(), out.byteSize(), (byte) 0);
    long[] counts = counts(ids, segments);
    RowSums rows = new RowSums(gradient.type(), row.elementCount());
    try (Tensor part = context.allocate(gradient.type(), gradient.shape());
        Tensor by = context.allocate(gradient.type(), Shape.scalar())) {
      Memory.copy(gradient.storage().address(), part.storage().address(), gradient.byteSize());
      for (int i = 0; i < segments; i++) {
        double share = divisor.of(Math.max(1, counts[i]));
        SparseSegmentKernel.divide(part, i, row, share, by);
      }
      for (long i = 0; i < ids.elementCount(); i++) {
        rows.add(
            part.storage().address(),
            ids.getIndex(i),
            out.storage().address(),
            place.applyAsLong(RowIndices.inRange(indices, i, limit)));
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
