package dev.tributary.internal.kernel.plain;

import dev.tributary.internal.memory.Memory;
import java.util.Arrays;

/** A {@link Panel} of floats. */
final class FloatPanel extends Panel {
  private final float[][] data;

  FloatPanel(int rows, int columns) {
    data = new float[rows][columns];
  }

  @Override
  void load(boolean down, int row, int column, int count, long address, long step) {
    if (down) {
      for (int i = 0; i < count; i++) {
        data[row + i][column] = Memory.getFloat(address + i * step);
      }
    } else if (step == Float.BYTES) {
      Memory.copy(address, data[row], column, count);
    } else {
      final float[] to = data[row];
      for (int i = 0; i < count; i++) {
        to[column + i] = Memory.getFloat(address + i * step);
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
    if (!down && step == Float.BYTES && !accumulate) {
      Memory.copy(data[row], column, address, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      final float value = down ? data[row + i][column] : data[row][column + i];
      final long to = address + i * step;
      Memory.putFloat(to, accumulate ? Memory.getFloat(to) + value : value);
    }
  }

  @Override
  void addProduct(Panel left, Panel right, int rows, int columns, int depth) {
    final float[][] a = ((FloatPanel) left).data;
    final float[][] b = ((FloatPanel) right).data;
    int k = 0;
    for (; k + 3 < depth; k += 4) {
      for (int i = 0; i < rows; i++) {
        final float[] x = a[i];
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
      addRow(data[i], ((FloatPanel) other).data[i], 1, columns);
    }
  }

  // Four rows a pass: 40 GFLOP/s a core (AVX2, JDK 17). With two result rows or eight source rows a
  // pass, C2 gives up
  // and makes scalar code, at 12 and 8.
  private static void addRows(
      float[] to,
      float[] b0,
      float[] b1,
      float[] b2,
      float[] b3,
      float a0,
      float a1,
      float a2,
      float a3,
      int count) {
    for (int j = 0; j < count; j++) {
      to[j] += a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
    }
  }

  private static void addRow(float[] to, float[] b, float a, int count) {
    for (int j = 0; j < count; j++) {
      to[j] += a * b[j];
    }
  }
}
