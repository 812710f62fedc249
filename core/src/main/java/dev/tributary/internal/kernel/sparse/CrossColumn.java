package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.ragged.RowPartition;
import dev.tributary.internal.kernel.text.FarmHash;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A column of features that are crossed with others: for each row any number of strings or
 * integers. Valid during a call.
 */
final class CrossColumn {
  private final Tensor values;
  private final boolean isSparse;
  private final long[] rows;
  private final int width;

  private CrossColumn(Tensor values, boolean isSparse, long[] rows, int width) {
    this.values = values;
    this.isSparse = isSparse;
    this.rows = rows;
    this.width = width;
  }

  static CrossColumn sparse(SparseInput input) {
    if (input.rank() != 2) {
      throw TributaryException.invalidArgument(
          "shape should imply a 2D tensor, but got %s", input.shape());
    }
    input.requireInBounds();
    long[] rows = new long[ArrayLength.of(input.count())];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = input.index(i, 0);
      if (i > 0 && rows[i] < rows[i - 1]) {
        throw TributaryException.invalidArgument(
            "the rows of indices must be in order, got %d after %d", rows[i], rows[i - 1]);
      }
    }
    return new CrossColumn(input.values(), true, rows, 0);
  }

  static CrossColumn dense(Tensor values) {
    return new CrossColumn(values, false, new long[0], (int) values.shape().size(1));
  }

  /** A ragged column, whose rows are those of a partition of its values. */
  static CrossColumn ragged(Tensor values, RowPartition partition) {
    long[] rows = new long[ArrayLength.of(values.elementCount())];
    for (int row = 0; row < partition.rows(); row++) {
      Arrays.fill(rows, (int) partition.start(row), (int) partition.end(row), row);
    }
    return new CrossColumn(values, true, rows, 0);
  }

  /** The different rows that have features. */
  long[] rows() {
    return Arrays.stream(rows).distinct().toArray();
  }

  /** The number of features of a row. */
  int count(long row) {
    return isSparse ? first(row + 1) - first(row) : width;
  }

  private int first(long row) {
    int low = 0;
    int high = rows.length;
    while (low < high) {
      int middle = low + high >>> 1;
      if (rows[middle] < row) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int place(long row, int n) {
    return isSparse ? first(row) + n : (int) row * width + n;
  }

  private boolean isText() {
    return values.type() == DataType.STRING;
  }

  byte[] text(long row, int n) {
    int place = place(row, n);
    return isText()
        ? (byte[]) values.objects()[place]
        : Long.toString(IndexTensors.at(values, place)).getBytes(StandardCharsets.US_ASCII);
  }

  /** The fingerprint of a string, or the integer itself. */
  long code(long row, int n) {
    int place = place(row, n);
    return isText()
        ? FarmHash.fingerprint64((byte[]) values.objects()[place])
        : IndexTensors.at(values, place);
  }

  /**
   * The bytes that SparseCrossHashed hashes. TensorFlow takes the lower half of an integer only,
   * and models rely on it.
   */
  byte[] hashedBytes(long row, int n) {
    int place = place(row, n);
    if (isText()) {
      return (byte[]) values.objects()[place];
    }
    byte[] bytes = new byte[4];
    Memory.copy(values.storage().address() + 8L * place, bytes, 0, 4);
    return bytes;
  }

  /** True if SparseCrossHashed takes the value as it is where it asks for no strong hash. */
  boolean isItsOwnHash() {
    return !isSparse && !isText();
  }
}
