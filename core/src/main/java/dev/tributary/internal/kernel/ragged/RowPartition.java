package dev.tributary.internal.kernel.ragged;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.tensor.Tensor;

/**
 * The partition of one dimension into rows: the splits between them, from 0 to the number of items.
 */
public final class RowPartition {
  private final long[] splits;

  private RowPartition(long[] splits) {
    this.splits = splits;
  }

  /** The partition with these splits, which must ascend from 0. */
  public static RowPartition ofSplits(Tensor tensor) {
    long[] splits = IndexTensors.vector(tensor, "row splits");
    if (splits.length == 0) {
      throw TributaryException.invalidArgument("row splits must have at least one element");
    }
    if (splits[0] != 0) {
      throw TributaryException.invalidArgument(
          "the first value of row splits must be 0, got %d", splits[0]);
    }
    for (int i = 1; i < splits.length; i++) {
      if (splits[i] < splits[i - 1]) {
        throw TributaryException.invalidArgument(
            "row splits must be ascending, got %d after %d", splits[i], splits[i - 1]);
      }
    }
    return new RowPartition(splits);
  }

  public int rows() {
    return splits.length - 1;
  }

  public long items() {
    return splits[splits.length - 1];
  }

  public long start(int row) {
    return splits[row];
  }

  public long end(int row) {
    return splits[row + 1];
  }

  /** The row of an item. */
  public int rowOf(long item) {
    int low = 0;
    int high = rows() - 1;
    while (low < high) {
      int middle = low + high >>> 1;
      if (item < end(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** The length of the longest row. */
  long width() {
    long width = 0;
    for (int row = 0; row < rows(); row++) {
      width = Math.max(width, end(row) - start(row));
    }
    return width;
  }
}
