package dev.tributary.kernel.math;

import dev.tributary.kernel.loop.Broadcast;
import dev.tributary.kernel.loop.CastLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Adds rows of one matrix to rows of another. Confined to one call of a kernel. */
final class RowSums {
  private final DataType type;
  private final long bytes;
  private final Broadcast walk;

  RowSums(DataType type, long rowLength) {
    this.type = type;
    this.bytes = rowLength * type.size();
    Shape row = Shape.of(rowLength);
    this.walk = Broadcast.of(row, row);
  }

  /** {@code sums[to] += data[from]}. */
  void add(long data, long from, long sums, long to) {
    long sum = sums + to * bytes;
    Arithmetic.ADD.run(type, sum, data + from * bytes, sum, walk);
  }

  /** {@code sums[row] /= count}, for real numbers. */
  void divide(long sums, long row, long count) {
    try (Tensor divisor = Tensor.allocate(type, Shape.scalar());
        Tensor wide = Tensor.scalar(count)) {
      CastLoop.run(DataType.INT64, wide.address(), type, divisor.address(), 1);
      long sum = sums + row * bytes;
      Arithmetic.REAL_DIVIDE.run(
          type, sum, divisor.address(), sum, Broadcast.of(walk.result(), Shape.scalar()));
    }
  }
}
