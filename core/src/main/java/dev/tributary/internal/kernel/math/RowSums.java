package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Adds rows of one matrix to rows of another. Confined to one call of a kernel. */
public final class RowSums {
  private final DataType type;
  private final long bytes;
  private final Broadcast walk;

  public RowSums(DataType type, long rowLength) {
    this.type = type;
    this.bytes = rowLength * type.size();
    Shape row = Shape.of(rowLength);
    this.walk = Broadcast.of(row, row);
  }

  /** {@code sums[to] += data[from]}. */
  public void add(long data, long from, long sums, long to) {
    long sum = sums + to * bytes;
    Arithmetic.ADD.run(type, sum, data + from * bytes, sum, walk);
  }

  /** {@code sums[row] /= count}; quotients of integers are cut towards zero. */
  public void divide(long sums, long row, long count) {
    try (Tensor divisor = Tensor.allocate(type, Shape.scalar());
        Tensor wide = Tensor.scalar(count)) {
      CastLoop.run(DataType.INT64, wide.storage().address(), type, divisor.storage().address(), 1);
      long sum = sums + row * bytes;
      Arithmetic.DIVIDE.run(
          type, sum, divisor.storage().address(), sum, Broadcast.of(walk.result(), Shape.scalar()));
    }
  }
}
