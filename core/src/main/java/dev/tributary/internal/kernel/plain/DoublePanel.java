package dev.tributary.internal.kernel.plain;

import dev.tributary.internal.memory.Memory;
import java.util.Arrays;

/** A {@link Panel} of doubles. */
final class DoublePanel extends Panel {
  private final double[][] data;

  DoublePanel(int rows, int columns) {
    data = new double[rows][columns];
  }

  @Override
  void load(boolean down, int row, int column, int count, long address, long step) {
    if (down) {
      for (int i = 0; i < count; i++) {
        data[row + i][column] = Memory.getDouble(address + i * step);
      }
    } else if (step == Double.BYTES) {
      Memory.copy(address, data[row], column, count);
    } else {
      final double[] to = data[row];
      for (int i = 0; i < count; i++) {
        to[column + i] = Memory.getDouble(address + i * step);
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
    if (!down && step == Double.BYTES && !accumulate) {
      Memory.copy(data[row], column, address, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      final double value = down ? data[row + i][column] : data[row][column + i];
      final long to = address + i * step;
      Memory.putDouble(to, accumulate ? Memory.getDouble(to) + value : value);
    }
  }

  @Override
  void addProduct(Panel left, Panel right, int rows, int columns, int depth) {
    final double[][] a = ((DoublePanel) left).data;
    final double[][] b = ((DoublePanel) right).data;
    int k = 0;
    for (; k + 3 < depth; k += 4) {
      for (int i = 0; i < rows; i++) {
        final double[] x = a[i];
        addRows(
            data[i], b[k], b[k + 1], b[k + 2], b[k + 3], x[k], x[k + 1], x[k + 2], x[k + 3],
            columns);
      }
    }
    for (; k < depth; k++) {
      for (int i = 0; i < rows; i++) {
        addRow(data[i], b[k], a[i][k], columns);
      }
    }
  }

  @Override
  void add(Panel other, int rows, int columns) {
    for (int i = 0; i < rows; i++) {
      addRow(data[i], ((DoublePanel) other).data[i], 1, columns);
    }
  }

  private static void addRows(
      double[] to,
      double[] b0,
      double[] b1,
      double[] b2,
      double[] b3,
      double a0,
      double a1,
      double a2,
      double a3,
      int count) {
    for (int j = 0; j < count; j++) {
      to[j] += a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
    }
  }

  private static void addRow(double[] to, double[] b, double a, int count) {
    for (int j = 0; j < count; j++) {
      to[j] += a * b[j];
    }
  }
}
