package dev.tributary.internal.kernel.ragged;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** The kernels of RaggedGather and RaggedTensorToSparse. */
public final class RaggedKernels {
  private RaggedKernels() {}

  /**
   * The partitions of the first inputs, of which each fits the next one and the last the values.
   */
  static RowPartition[] partitions(KernelContext context, int count) {
    RowPartition[] partitions = new RowPartition[count];
    Arrays.setAll(partitions, i -> RowPartition.ofSplits(context.input(i)));
    Tensor values = context.input(count);
    if (values.rank() == 0) {
      throw TributaryException.invalidArgument("params.rank must be nonzero");
    }
    for (int i = 0; i < count; i++) {
      long items = i + 1 < count ? partitions[i + 1].rows() : values.shape().size(0);
      if (partitions[i].items() != items) {
        throw TributaryException.invalidArgument(
            "Ragged splits must not point past values: splits %d end at %d, there are %d",
            i, partitions[i].items(), items);
      }
    }
    return partitions;
  }

  /**
   * The rows that indices name, with all that is in them. Each dimension of the indices but the
   * first adds a partition in front.
   *
   * @param depth how many partitions the ragged tensor has
   */
  public static void gather(KernelContext context, int depth) {
    RowPartition[] partitions = partitions(context, depth);
    Tensor values = context.input(depth);
    Tensor indices = context.input(depth + 1);
    if (indices.rank() == 0) {
      throw TributaryException.unimplemented("indices must have a dimension, got a scalar");
    }
    int own = indices.rank() - 1;
    long rows = 1;
    for (int d = 0; d < own; d++) {
      rows *= indices.shape().size(d);
      setEvenSplits(context, d, rows, indices.shape().size(d + 1));
    }
    long[] starts = IndexTensors.all(indices);
    for (int i = 0; i < starts.length; i++) {
      if (starts[i] < 0 || starts[i] >= partitions[0].rows()) {
        throw TributaryException.invalidArgument(
            "indices%s = %d is not in [0, %d)",
            IndexTensors.coordinates(indices.shape(), i), starts[i], partitions[0].rows());
      }
    }
    long[] ends = starts.clone();
    Arrays.setAll(ends, i -> ends[i] + 1);
    for (int d = 0; d < depth; d++) {
      setSplits(context, own + d, partitions[d], starts, ends);
      for (int i = 0; i < starts.length; i++) {
        starts[i] = split(partitions[d], starts[i]);
        ends[i] = split(partitions[d], ends[i]);
      }
    }
    copyRows(context, own + depth, values, starts, ends);
  }

  private static long split(RowPartition partition, long row) {
    return row == partition.rows() ? partition.items() : partition.start((int) row);
  }

  private static void setEvenSplits(KernelContext context, int output, long rows, long length) {
    long[] splits = new long[ArrayLength.of(rows + 1)];
    Arrays.setAll(splits, i -> i * length);
    IndexTensors.setVector(context, output, splits);
  }

  /** Sets an output to the splits of the rows from each start to its end, one after the other. */
  private static void setSplits(
      KernelContext context, int output, RowPartition partition, long[] starts, long[] ends) {
    long count = 1;
    for (int i = 0; i < starts.length; i++) {
      count = ArrayLength.of(count + ends[i] - starts[i]);
    }
    long[] splits = new long[(int) count];
    int next = 1;
    for (int i = 0; i < starts.length; i++) {
      for (int row = (int) starts[i]; row < ends[i]; row++, next++) {
        splits[next] = splits[next - 1] + partition.end(row) - partition.start(row);
      }
    }
    IndexTensors.setVector(context, output, splits);
  }

  private static void copyRows(
      KernelContext context, int output, Tensor values, long[] starts, long[] ends) {
    long count = 0;
    for (int i = 0; i < starts.length; i++) {
      count += ends[i] - starts[i];
    }
    Shape row = values.shape().slice(1, values.rank());
    Tensor picked = context.allocateOutput(output, Shape.of(count).concatenate(row));
    RowMove move = new RowMove(values, picked, row.elementCount());
    long next = 0;
    for (int i = 0; i < starts.length; i++) {
      for (long from = starts[i]; from < ends[i]; from++) {
        move.move(from, next++);
      }
    }
  }

  /**
   * The same values as a sparse tensor.
   *
   * @param depth how many partitions the ragged tensor has
   */
  public static void toSparse(KernelContext context, int depth) {
    RowPartition[] partitions = partitions(context, depth);
    Tensor values = context.input(depth);
    Shape row = values.shape().slice(1, values.rank());
    int rank = depth + values.rank();
    long width = row.elementCount();
    long[] strides = row.strides();
    Shape indices = Shape.of(values.elementCount(), rank);
    long at = context.allocateOutput(0, indices).storage().address();
    long[] index = new long[depth + 1];
    for (long i = 0; i < values.shape().size(0); i++) {
      long item = i;
      for (int d = depth - 1; d >= 0; d--) {
        int parent = partitions[d].rowOf(item);
        index[d + 1] = item - partitions[d].start(parent);
        item = parent;
      }
      index[0] = item;
      for (long j = 0; j < width; j++, at += 8L * rank) {
        Memory.copy(index, 0, at, index.length);
        for (int d = 0; d < strides.length; d++) {
          Memory.putLong(at + 8L * (index.length + d), j / strides[d] % row.size(d));
        }
      }
    }
    context.setOutput(1, values.withShape(Shape.of(values.elementCount())));
    long[] sizes = new long[rank];
    sizes[0] = partitions[0].rows();
    for (int d = 0; d < depth; d++) {
      sizes[d + 1] = partitions[d].width();
    }
    for (int d = 0; d < row.rank(); d++) {
      sizes[depth + 1 + d] = row.size(d);
    }
    IndexTensors.setVector(context, 2, sizes);
  }
}
