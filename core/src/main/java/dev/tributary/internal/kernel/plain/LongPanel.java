package dev.tributary.internal.kernel.plain;

import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import java.util.Arrays;

/**
 * A {@link Panel} of integers of either width: sums and products modulo 2^64 are right modulo 2^32
 * too.
 */
final class LongPanel extends Panel {
  private final long[][] data;
  private final boolean wide;

  LongPanel(DataType type, int rows, int columns) {
    data = new long[rows][columns];
    wide = type == DataType.INT64;
  }

  @Override
  void load(boolean down, int row, int column, int count, long address, long step) {
    for (int i = 0; i < count; i++) {
      final long value = read(address + i * step);
      if (down) {
        data[row + i][column] = value;
      } else {
        data[row][column + i] = value;
      }
    }
  }

  @Override
  void zero(boolean down, int row, int column, int count) {
    if (!down) {
      Arrays.fill(data[row], column, column + count, 0);
      return;
    }
    for (int i = 0; i < count; i++) {
      data[row + i][column] = 0;
    }
  }

  @Override
  void store(
      boolean down, int row, int column, int count, long address, long step, boolean accumulate) {
    for (int i = 0; i < count; i++) {
      final long to = address + i * step;
      final long value =
          (down ? data[row + i][column] : data[row][column + i]) + (accumulate ? read(to) : 0);
      if (wide) {
        Memory.putLong(to, value);
      } else {
        Memory.putInt(to, (int) value);
      }
    }
  }

  @Override
  void addProduct(Panel left, Panel right, int rows, int columns, int depth) {
    final long[][] a = ((LongPanel) left).data;
    final long[][] b = ((LongPanel) right).data;
    for (int k = 0; k < depth; k++) {
      for (int i = 0; i < rows; i++) {
        addRow(data[i], b[k], a[i][k], columns);
      }
    }
  }

  @Override
  void add(Panel other, int rows, int columns) {
    for (int i = 0; i < rows; i++) {
      addRow(data[i], ((LongPanel) other).data[i], 1, columns);
    }
  }

  private long read(long address) {
    return wide ? Memory.getLong(address) : Memory.getInt(address);
  }

  private static void addRow(long[] to, long[] b, long a, int count) {
    for (int j = 0; j < count; j++) {
      to[j] += a * b[j];
    }
  }
}
