package dev.tributary.internal.kernel.accumulator;

import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rows that were added up by index, and how many gradients each row got something from. It owns a
 * block of memory that grows with the number of rows. Used by one thread at a time.
 */
final class SparseSum implements AutoCloseable {
  private final Allocator allocator;
  private final DataType type;
  private final Shape row;
  private final long rowBytes;
  private final Broadcast walk;
  private final Map<Long, Integer> places = new TreeMap<>();
  private Tensor rows;
  private int[] counts = new int[16];
  private int[] lastGradient = new int[16];
  private int gradients;

  SparseSum(Allocator allocator, DataType type, Shape row) {
    this.allocator = allocator;
    this.type = type;
    this.row = row;
    this.rowBytes = row.elementCount() * type.size();
    this.walk = Broadcast.of(row, row);
    this.rows = block(counts.length);
  }

  Shape row() {
    return row;
  }

  int size() {
    return places.size();
  }

  /** May be asked by any thread: a tensor's size never changes. */
  long bytes() {
    return rows.byteSize();
  }

  /**
   * Adds one gradient. A row that its indices name several times is added each time, but counts
   * once: the rows are parts of one gradient.
   */
  void add(Tensor indices, Tensor values) {
    gradients++;
    for (int i = 0; i < indices.elementCount(); i++) {
      addRow(indices.getLong(i), values.storage().address() + i * rowBytes);
    }
  }

  /** Writes all indices, in ascending order. */
  void copyIndices(Tensor target) {
    long at = target.storage().address();
    for (long index : places.keySet()) {
      Memory.putLong(at, index);
      at += Long.BYTES;
    }
  }

  /** Writes the rows in the order of their indices. */
  void copyRows(Tensor target) {
    long at = target.storage().address();
    for (int place : places.values()) {
      Memory.copy(rows.storage().address() + place * rowBytes, at, rowBytes);
      at += rowBytes;
    }
  }

  /** Returns how many gradients each row came from, in the order of the indices. */
  int[] contributions() {
    return places.values().stream().mapToInt(place -> counts[place]).toArray();
  }

  @Override
  public void close() {
    rows.close();
  }

  private void addRow(long index, long source) {
    Integer known = places.get(index);
    int place = known != null ? known : places.size();
    if (known == null) {
      makeRoom(place);
      places.put(index, place);
    }
    long target = rows.storage().address() + place * rowBytes;
    if (known == null) {
      Memory.copy(source, target, rowBytes);
    } else {
      Arithmetic.ADD.run(type, target, source, target, walk);
    }
    if (lastGradient[place] != gradients) {
      lastGradient[place] = gradients;
      counts[place]++;
    }
  }

  private void makeRoom(int place) {
    if (place < counts.length) {
      return;
    }
    int larger = Math.multiplyExact(counts.length, 2);
    Tensor grown = block(larger);
    Memory.copy(rows.storage().address(), grown.storage().address(), place * rowBytes);
    rows.close();
    rows = grown;
    counts = Arrays.copyOf(counts, larger);
    lastGradient = Arrays.copyOf(lastGradient, larger);
  }

  private Tensor block(int capacity) {
    return SharedTensors.allocate(allocator, type, Shape.of(capacity).concatenate(row));
  }
}
