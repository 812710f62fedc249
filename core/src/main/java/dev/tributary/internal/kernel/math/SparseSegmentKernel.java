package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Sums the rows that indices pick for each segment, where ids ascend, and divides each sum by what
 * the number of its rows gives. The number of segments is an input, or one more than the last id.
 */
public final class SparseSegmentKernel implements Kernel {
  /** The divisor of the sum of some rows. */
  public enum Divisor {
    ONE,
    COUNT,
    ROOT_OF_COUNT;

    double of(long count) {
      return switch (this) {
        case ONE -> 1;
        case COUNT -> count;
        case ROOT_OF_COUNT -> Math.sqrt(count);
      };
    }
  }

  private final Divisor divisor;
  private final boolean numbered;

  private SparseSegmentKernel(KernelNode node, Divisor divisor, boolean numbered) {
    this.divisor = divisor;
    this.numbered = numbered;
    Arithmetic.ADD.requireSupport(node.type());
  }

  public static SparseSegmentKernel of(KernelNode node, Divisor divisor) {
    return new SparseSegmentKernel(node, divisor, false);
  }

  /** The kernel for calls whose fourth input is the number of segments. */
  public static SparseSegmentKernel withNumSegments(KernelNode node, Divisor divisor) {
    return new SparseSegmentKernel(node, divisor, true);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor data = context.input(0);
    Tensor indices = context.input(1);
    Tensor ids = context.input(2);
    if (data.rank() == 0) {
      throw TributaryException.invalidArgument("data must have rank 1 or more, got a scalar");
    }
    if (ids.rank() != 1 || !ids.shape().equals(indices.shape())) {
      throw TributaryException.invalidArgument(
          "segment_ids and indices should be vectors of the same size, got shapes %s and %s",
          ids.shape(), indices.shape());
    }
    long count = ids.elementCount();
    long segments = segments(context, ids);
    Shape row = data.shape().slice(1, data.rank());
    Tensor sums = context.allocateOutput(0, Shape.of(segments).concatenate(row));
    Memory.fill(sums.storage().address(), sums.byteSize(), (byte) 0);
    RowSums rows = new RowSums(data.type(), row.elementCount());
    try (Tensor by = context.allocate(data.type(), Shape.scalar())) {
      for (long i = 0, first = 0; i < count; i++) {
        long id = requireNext(ids, i, segments);
        long from = RowIndices.inRange(indices, i, data.shape().size(0));
        rows.add(data.storage().address(), from, sums.storage().address(), id);
        boolean last = i == count - 1 || ids.getIndex(i + 1) != id;
        if (last) {
          divide(sums, id, row, divisor.of(i + 1 - first), by);
          first = i + 1;
        }
      }
    }
  }

  private long segments(KernelContext context, Tensor ids) {
    long count = ids.elementCount();
    if (!numbered) {
      return count == 0 ? 0 : Math.max(0, ids.getIndex(count - 1) + 1);
    }
    Tensor number = context.input(3);
    if (number.rank() != 0) {
      throw TributaryException.invalidArgument(
          "num_segments should be a scalar, not shape %s", number.shape());
    }
    if (number.getIndex(0) < 0) {
      throw TributaryException.invalidArgument(
          "num_segments must be >= 0, got %d", number.getIndex(0));
    }
    return number.getIndex(0);
  }

  private static long requireNext(Tensor ids, long i, long segments) {
    long id = ids.getIndex(i);
    if (id < 0 || id >= segments) {
      throw TributaryException.invalidArgument(
          "segment ids must be in [0, %d), got %d at %d", segments, id, i);
    }
    if (i > 0 && id < ids.getIndex(i - 1)) {
      throw TributaryException.invalidArgument("segment ids are not increasing: %d at %d", id, i);
    }
    return id;
  }

  /**
   * {@code rows[row] /= divisor}, for real numbers.
   *
   * @param by room for a scalar of the rows' type
   */
  static void divide(Tensor rows, long row, Shape shape, double divisor, Tensor by) {
    if (divisor == 1) {
      return;
    }
    try (Tensor wide = Tensor.scalar(divisor)) {
      CastLoop.run(DataType.DOUBLE, wide.storage().address(), by.type(), by.storage().address(), 1);
    }
    long at = rows.storage().address() + row * shape.elementCount() * rows.type().size();
    Broadcast walk = Broadcast.of(shape, Shape.scalar());
    Arithmetic.REAL_DIVIDE.run(rows.type(), at, by.storage().address(), at, walk);
  }
}
