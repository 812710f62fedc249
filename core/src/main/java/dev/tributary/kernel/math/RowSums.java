package dev.tributary.kernel.math;

import dev.tributary.kernel.loop.Broadcast;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;

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
}
