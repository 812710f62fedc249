package dev.tributary.internal.kernel.loop;

import static dev.tributary.internal.memory.Memory.getFloat;
import static dev.tributary.internal.memory.Memory.putBoolean;
import static dev.tributary.internal.memory.Memory.putFloat;

import java.lang.invoke.MethodHandles;

/** The loops over floats, which also carry float16 and bfloat16; see {@link LoopStamp}. */
final class FloatTemplates {
  private FloatTemplates() {}

  static final class Unary implements UnaryTile {
    private static final Scalar.FloatUnary F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.FloatUnary.class);

    @Override
    public void run(Object in, Object out, int count) {
      float[] x = (float[]) in;
      float[] y = (float[]) out;
      for (int i = 0; i < count; i++) {
        y[i] = F.apply(x[i]);
      }
    }

    @Override
    public void direct(long in, long out, int count) {
      for (int i = 0; i < count; i++) {
        putFloat(out + 4L * i, F.apply(getFloat(in + 4L * i)));
      }
    }
  }

  static final class Test implements UnaryTile {
    private static final Scalar.FloatTest F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.FloatTest.class);

    @Override
    public void run(Object in, Object out, int count) {
      float[] x = (float[]) in;
      boolean[] y = (boolean[]) out;
      for (int i = 0; i < count; i++) {
        y[i] = F.test(x[i]);
      }
    }

    @Override
    public void direct(long in, long out, int count) {
      for (int i = 0; i < count; i++) {
        putBoolean(out + i, F.test(getFloat(in + 4L * i)));
      }
    }
  }

  static final class Binary implements FoldTile {
    private static final Scalar.FloatBinary F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.FloatBinary.class);

    @Override
    public void run(Object left, Object right, Object out, int count) {
      float[] x = (float[]) left;
      float[] y = (float[]) right;
      float[] z = (float[]) out;
      for (int i = 0; i < count; i++) {
        z[i] = F.apply(x[i], y[i]);
      }
    }

    @Override
    public void direct(long left, long leftStep, long right, long rightStep, long out, int count) {
      for (int i = 0; i < count; i++) {
        putFloat(
            out + 4L * i, F.apply(getFloat(left + leftStep * i), getFloat(right + rightStep * i)));
      }
    }

    @Override
    public void foldRows(Object tile, int rows, int width) {
      float[] x = (float[]) tile;
      for (int row = 0, at = 0; row < rows; row++) {
        int end = at + width;
        float folded = x[at++];
        if (width >= 8) { // four chains, as one alone would wait for each result
          float second = x[at++];
          float third = x[at++];
          float fourth = x[at++];
          for (; at + 4 <= end; at += 4) {
            folded = F.apply(folded, x[at]);
            second = F.apply(second, x[at + 1]);
            third = F.apply(third, x[at + 2]);
            fourth = F.apply(fourth, x[at + 3]);
          }
          folded = F.apply(F.apply(folded, second), F.apply(third, fourth));
        }
        while (at < end) {
          folded = F.apply(folded, x[at++]);
        }
        x[row] = folded;
      }
    }

    @Override
    public void scan(Object tile, int count, boolean exclusive, boolean reverse, Object carry) {
      float[] x = (float[]) tile;
      float running = ((float[]) carry)[0];
      int step = reverse ? -1 : 1;
      for (int i = reverse ? count - 1 : 0; i >= 0 && i < count; i += step) {
        float next = F.apply(running, x[i]);
        x[i] = exclusive ? running : next;
        running = next;
      }
      ((float[]) carry)[0] = running;
    }
  }

  static final class Comparison implements BinaryTile {
    private static final Scalar.FloatComparison F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.FloatComparison.class);

    @Override
    public void run(Object left, Object right, Object out, int count) {
      float[] x = (float[]) left;
      float[] y = (float[]) right;
      boolean[] z = (boolean[]) out;
      for (int i = 0; i < count; i++) {
        z[i] = F.test(x[i], y[i]);
      }
    }

    @Override
    public void direct(long left, long leftStep, long right, long rightStep, long out, int count) {
      for (int i = 0; i < count; i++) {
        putBoolean(out + i, F.test(getFloat(left + leftStep * i), getFloat(right + rightStep * i)));
      }
    }
  }
}
