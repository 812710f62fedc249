package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Sums, or averages, the rows of each segment, where segments are numbered in ascending order; a
 * number that is left out gives zeros. The rows are all of the data in order, or those that indices
 * pick out.
 */
public final class SegmentSumKernel implements Kernel {
  private final boolean sparse;
  private final boolean averaged;

  private SegmentSumKernel(KernelNode node, boolean sparse, boolean averaged) {
    this.sparse = sparse;
    this.averaged = averaged;
    Arithmetic.ADD.requireSupport(node.type());
  }

  public static SegmentSumKernel dense(KernelNode node) {
    return new SegmentSumKernel(node, false, false);
  }

  public static SegmentSumKernel sparse(KernelNode node) {
    return new SegmentSumKernel(node, true, false);
  }

  public static SegmentSumKernel sparseMean(KernelNode node) {
    return new SegmentSumKernel(node, true, true);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor data = context.input(0);
    Tensor ids = context.input(sparse ? 2 : 1);
    if (data.rank() == 0) {
      throw TributaryException.invalidArgument("data must have rank 1 or more, got a scalar");
    }
    long rowCount = sparse ? context.input(1).elementCount() : data.shape().size(0);
    if (ids.rank() != 1 || ids.elementCount() != rowCount) {
      throw TributaryException.invalidArgument(
          "segment_ids should be a vector of the same size as dimension 0 of input (%d), got shape"
              + " %s",
          rowCount, ids.shape());
    }
    long segments = segments(ids);
    Shape row = data.shape().slice(1, data.rank());
    Tensor sums = context.allocateOutput(0, Shape.of(segments).concatenate(row));
    Memory.fill(sums.storage().address(), sums.byteSize(), (byte) 0);
    RowSums rows = new RowSums(data.type(), row.elementCount());
    long first = 0;
    for (long i = 0; i < rowCount; i++) {
      long id = segmentId(ids, i, segments);
      rows.add(
          data.storage().address(),
          source(context, i, data.shape().size(0)),
          sums.storage().address(),
          id);
      if (averaged && (i == rowCount - 1 || ids.getIndex(i + 1) != id)) {
        rows.divide(sums.storage().address(), id, i + 1 - first);
        first = i + 1;
      }
    }
  }

  private long source(KernelContext context, long i, long limit) {
    return sparse ? RowIndices.inRange(context.input(1), i, limit) : i;
  }

  /** The number of segments whose ids ascend. */
  static long segments(Tensor ids) {
    long count = ids.elementCount();
    long segments = count == 0 ? 0 : ids.getIndex(count - 1) + 1;
    if (segments < 0) {
      throw TributaryException.invalidArgument("segment ids must be >= 0");
    }
    return segments;
  }

  /** The id of row {@code i}, which is not less than the one before. */
  static long segmentId(Tensor ids, long i, long segments) {
    long id = ids.getIndex(i);
    long before = i == 0 ? 0 : ids.getIndex(i - 1);
    if (i == 0 && id < 0) {
      throw TributaryException.invalidArgument("segment ids must be >= 0, got %d", id);
    }
    if (id < before || id >= segments) {
      throw TributaryException.invalidArgument("segment ids are not increasing: %d at %d", id, i);
    }
    return id;
  }
}
