package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Folds the rows of each segment by a function of two elements. In sorted segments ids ascend by
 * rows; in others rows come in any order, those with a negative id are left out, and the number of
 * segments is an input.
 */
public final class SegmentFoldKernel implements Kernel {
  /** The elements of a segment without rows. */
  public enum Empty {
    ZERO,
    ONE,
    /** The lowest finite number of the type. */
    LOWEST,
    HIGHEST;

    private void fill(KernelContext context, Tensor target) {
      if (this == ZERO) {
        Fill.zeros(target);
      } else if (this == ONE) {
        Fill.ones(target);
      } else {
        try (Tensor extreme = context.allocate(target.type(), Shape.scalar())) {
          put(target.type(), this == LOWEST, extreme.storage().address());
          Fill.with(extreme, target);
        }
      }
    }

    private static void put(DataType type, boolean lowest, long address) {
      switch (type) {
        case FLOAT -> Memory.putFloat(address, lowest ? -Float.MAX_VALUE : Float.MAX_VALUE);
        case DOUBLE -> Memory.putDouble(address, lowest ? -Double.MAX_VALUE : Double.MAX_VALUE);
        case HALF -> Memory.putShort(address, (short) (lowest ? 0xfbff : 0x7bff));
        case BFLOAT16 -> Memory.putShort(address, (short) (lowest ? 0xff7f : 0x7f7f));
        case INT64 -> Memory.putLong(address, lowest ? Long.MIN_VALUE : Long.MAX_VALUE);
        case INT32 -> Memory.putInt(address, lowest ? Integer.MIN_VALUE : Integer.MAX_VALUE);
        case INT16 -> Memory.putShort(address, lowest ? Short.MIN_VALUE : Short.MAX_VALUE);
        case UINT32 -> Memory.putInt(address, lowest ? 0 : -1);
        case UINT16 -> Memory.putShort(address, (short) (lowest ? 0 : -1));
        case UINT8 -> Memory.putByte(address, (byte) (lowest ? 0 : 0xff));
        default -> Memory.putByte(address, lowest ? Byte.MIN_VALUE : Byte.MAX_VALUE);
      }
    }
  }

  private final BinaryLoop function;
  private final DataType type;
  private final Empty empty;
  private final boolean sorted;
  private final boolean averaged;

  private SegmentFoldKernel(
      KernelNode node, BinaryLoop function, Empty empty, boolean sorted, boolean averaged) {
    function.requireSupport(node.type());
    this.function = function;
    this.type = node.type();
    this.empty = empty;
    this.sorted = sorted;
    this.averaged = averaged;
  }

  /** Segments with ascending ids. */
  public static Kernel sorted(KernelNode node, BinaryLoop function, Empty empty) {
    return new SegmentFoldKernel(node, function, empty, true, false);
  }

  /** The means of segments with ascending ids. */
  public static Kernel means(KernelNode node) {
    return new SegmentFoldKernel(node, Arithmetic.ADD, Empty.ZERO, true, true);
  }

  /** Segments in any order. */
  public static Kernel unsorted(KernelNode node, BinaryLoop function, Empty empty) {
    return new SegmentFoldKernel(node, function, empty, false, false);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor data = context.input(0);
    Tensor ids = context.input(1);
    int idRank = ids.rank();
    if (sorted && (idRank != 1 || data.rank() < 1)
        || data.rank() < idRank
        || !data.shape().slice(0, idRank).equals(ids.shape())) {
      throw TributaryException.invalidArgument(
          "data.shape = %s does not start with segment_ids.shape = %s", data.shape(), ids.shape());
    }
    Shape row = data.shape().slice(idRank, data.rank());
    long segments = sorted ? SegmentSumKernel.segments(ids) : segments(context.input(2));
    Tensor output = context.allocateOutput(0, Shape.of(segments).concatenate(row));
    empty.fill(context, output);
    BinaryLoop.Placed placed =
        function.placed(
            type, Broadcast.of(Shape.of(row.elementCount()), Shape.of(row.elementCount())));
    if (sorted) {
      foldSorted(placed, data, ids, row.elementCount(), segments, output);
    } else {
      foldUnsorted(placed, data, ids, row.elementCount(), segments, output);
    }
  }

  private static long segments(Tensor tensor) {
    long segments = RowIndices.read(tensor, 0);
    if (segments < 0) {
      throw TributaryException.invalidArgument("num_segments must be 0 or more, got %d", segments);
    }
    return segments;
  }

  private void foldSorted(
      BinaryLoop.Placed placed,
      Tensor data,
      Tensor ids,
      long length,
      long segments,
      Tensor output) {
    long bytes = length * type.size();
    RowSums rows = new RowSums(type, length);
    long first = 0;
    for (long i = 0; i < ids.elementCount(); i++) {
      long id = SegmentSumKernel.segmentId(ids, i, segments);
      long to = output.storage().address() + id * bytes;
      long from = data.storage().address() + i * bytes;
      if (i == first) {
        Memory.copy(from, to, bytes);
      } else {
        placed.run(to, from, to);
      }
      if (i + 1 == ids.elementCount() || ids.getIndex(i + 1) != id) {
        if (averaged) {
          rows.divide(output.storage().address(), id, i + 1 - first);
        }
        first = i + 1;
      }
    }
  }

  private void foldUnsorted(
      BinaryLoop.Placed placed,
      Tensor data,
      Tensor ids,
      long length,
      long segments,
      Tensor output) {
    long bytes = length * type.size();
    for (long i = 0; i < ids.elementCount(); i++) {
      long id = RowIndices.read(ids, i);
      if (id >= segments) {
        throw TributaryException.invalidArgument(
            "segment_ids[%d] = %d is out of range [0, %d)", i, id, segments);
      }
      if (id >= 0) {
        long to = output.storage().address() + id * bytes;
        placed.run(to, data.storage().address() + i * bytes, to);
      }
    }
  }
}
