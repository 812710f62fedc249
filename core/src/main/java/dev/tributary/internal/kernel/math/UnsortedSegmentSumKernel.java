package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Sums the rows of each segment, in whatever order they come; rows with a negative id are left out.
 */
public final class UnsortedSegmentSumKernel implements Kernel {
  public UnsortedSegmentSumKernel(KernelNode node) {
    Arithmetic.ADD.requireSupport(node.type());
  }

  @Override
  public void compute(KernelContext context) {
    Tensor data = context.input(0);
    Tensor ids = context.input(1);
    long segments = RowIndices.read(context.input(2), 0);
    int idRank = ids.rank();
    if (data.rank() < idRank || !data.shape().slice(0, idRank).equals(ids.shape())) {
      throw TributaryException.invalidArgument(
          "data.shape = %s does not start with segment_ids.shape = %s", data.shape(), ids.shape());
    }
    if (segments < 0) {
      throw TributaryException.invalidArgument("num_segments must be 0 or more, got %d", segments);
    }
    Shape row = data.shape().slice(idRank, data.rank());
    Tensor sums = context.allocateOutput(0, Shape.of(segments).concatenate(row));
    Memory.fill(sums.storage().address(), sums.byteSize(), (byte) 0);
    RowSums rows = new RowSums(data.type(), row.elementCount());
    for (long i = 0; i < ids.elementCount(); i++) {
      long id = RowIndices.read(ids, i);
      if (id >= segments) {
        throw TributaryException.invalidArgument(
            "segment_ids[%d] = %d is out of range [0, %d)", i, id, segments);
      }
      if (id >= 0) {
        rows.add(data.storage().address(), i, sums.storage().address(), id);
      }
    }
  }
}
