package dev.tributary.internal.example;

import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/** A feature of which each example has as many values as it likes. */
public record ListFeature(String key, DataType type) {
  /** All values of a feature, one example after the other, and how many each has. */
  private record Column(int[] counts, Tensor values) {}

  /** The tensors of a sparse feature, for the caller to close. */
  record Sparse(Tensor indices, Tensor values, Tensor shape) {}

  /** The tensors of a ragged feature, for the caller to close. */
  record Ragged(Tensor values, Tensor rowSplits) {}

  /**
   * The values with their places: example and number in it, or the number alone for a single one.
   */
  Sparse parseSparse(ExampleBatch batch, boolean isSingle, Allocator allocator) {
    Column column = column(batch, allocator);
    int rank = isSingle ? 1 : 2;
    long total = column.values().elementCount();
    Tensor indices = Tensor.allocate(allocator, DataType.INT64, Shape.of(total, rank));
    long to = indices.storage().address();
    long longest = 0;
    for (int row = 0; row < column.counts().length; row++) {
      longest = Math.max(longest, column.counts()[row]);
      for (int i = 0; i < column.counts()[row]; i++) {
        if (!isSingle) {
          Memory.putLong(to, row);
          to += Long.BYTES;
        }
        Memory.putLong(to, i);
        to += Long.BYTES;
      }
    }
    Tensor shape = isSingle ? Tensor.of(longest) : Tensor.of(batch.size(), longest);
    return new Sparse(indices, column.values(), shape);
  }

  /** The values, and where those of each example begin; a single example has no such splits. */
  Ragged parseRagged(
      ExampleBatch batch, boolean isSingle, DataType splitType, Allocator allocator) {
    Column column = column(batch, allocator);
    long[] splits = new long[isSingle ? 0 : column.counts().length + 1];
    for (int i = 1; i < splits.length; i++) {
      splits[i] = splits[i - 1] + column.counts()[i - 1];
    }
    return new Ragged(column.values(), splits(splitType, allocator, splits));
  }

  /** A vector of int32 or int64. */
  static Tensor splits(DataType splitType, Allocator allocator, long... values) {
    Tensor splits = Tensor.allocate(allocator, splitType, Shape.of(values.length));
    long to = splits.storage().address();
    for (int i = 0; i < values.length; i++) {
      if (splitType == DataType.INT32) {
        Memory.putInt(to + (long) Integer.BYTES * i, (int) values[i]);
      } else {
        Memory.putLong(to + (long) Long.BYTES * i, values[i]);
      }
    }
    return splits;
  }

  private Column column(ExampleBatch batch, Allocator allocator) {
    List<Optional<FeatureValues>> column = batch.feature(key, type);
    int[] counts = new int[column.size()];
    long total = 0;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = column.get(i).map(FeatureValues::count).orElse(0);
      total += counts[i];
    }
    Tensor values = Tensor.allocate(allocator, type, Shape.of(total));
    long at = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        column.get(i).orElseThrow().copyTo(values, at);
        at += counts[i];
      }
    }
    return new Column(counts, values);
  }
}
