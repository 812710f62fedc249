package dev.tributary.internal.kernel.loop;

import static dev.tributary.internal.memory.Memory.getInt;
import static dev.tributary.internal.memory.Memory.putBoolean;
import static dev.tributary.internal.memory.Memory.putInt;

import java.lang.invoke.MethodHandles;

/** The loops over ints, which also carry the narrow integer types; see {@link LoopStamp}. */
final class IntTemplates {
  private IntTemplates() {}

  static final class Unary implements UnaryTile {
    private static final Scalar.IntUnary F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.IntUnary.class);

    @Override
    public void run(Object in, Object out, int count) {
      int[] x = (int[]) in;
      int[] y = (int[]) out;
      for (int i = 0; i < count; i++) {
        y[i] = F.apply(x[i]);
      }
    }

    @Override
    public void direct(long in, long out, int count) {
      for (int i = 0; i < count; i++) {
        putInt(out + 4L * i, F.apply(getInt(in + 4L * i)));
      }
    }
  }

  static final class Binary implements FoldTile {
    private static final Scalar.IntBinary F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.IntBinary.class);

    @Override
    public void run(Object left, Object right, Object out, int count) {
      int[] x = (int[]) left;
      int[] y = (int[]) right;
      int[] z = (int[]) out;
      for (int i = 0; i < count; i++) {
        z[i] = F.apply(x[i], y[i]);
      }
    }

    @Override
    public void direct(long left, long leftStep, long right, long rightStep, long out, int count) {
      for (int i = 0; i < count; i++) {
        putInt(out + 4L * i, F.apply(getInt(left + leftStep * i), getInt(right + rightStep * i)));
      }
    }

    @Override
    public void foldRows(Object tile, int rows, int width) {
      int[] x = (int[]) tile;
      for (int row = 0, at = 0; row < rows; row++) {
        int end = at + width;
        int folded = x[at++];
        if (width >= 8) { // four chains, as one alone would wait for each result
          int second = x[at++];
          int third = x[at++];
          int fourth = x[at++];
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
      int[] x = (int[]) tile;
      int running = ((int[]) carry)[0];
      int step = reverse ? -1 : 1;
      for (int i = reverse ? count - 1 : 0; i >= 0 && i < count; i += step) {
        int next = F.apply(running, x[i]);
        x[i] = exclusive ? running : next;
        running = next;
      }
      ((int[]) carry)[0] = running;
    }
  }

  static final class Comparison implements BinaryTile {
    private static final Scalar.IntComparison F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.IntComparison.class);

    @Override
    public void run(Object left, Object right, Object out, int count) {
      int[] x = (int[]) left;
      int[] y = (int[]) right;
      boolean[] z = (boolean[]) out;
      for (int i = 0; i < count; i++) {
        z[i] = F.test(x[i], y[i]);
      }
    }

    @Override
    public void direct(long left, long leftStep, long right, long rightStep, long out, int count) {
      for (int i = 0; i < count; i++) {
        putBoolean(out + i, F.test(getInt(left + leftStep * i), getInt(right + rightStep * i)));
      }
    }
  }
}
