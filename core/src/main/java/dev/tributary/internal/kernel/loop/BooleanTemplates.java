package dev.tributary.internal.kernel.loop;

import static dev.tributary.internal.memory.Memory.getBoolean;
import static dev.tributary.internal.memory.Memory.putBoolean;

import java.lang.invoke.MethodHandles;

/** The loops over booleans; see {@link LoopStamp}. */
final class BooleanTemplates {
  private BooleanTemplates() {}

  static final class Unary implements UnaryTile {
    private static final Scalar.BooleanUnary F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.BooleanUnary.class);

    @Override
    public void run(Object in, Object out, int count) {
      boolean[] x = (boolean[]) in;
      boolean[] y = (boolean[]) out;
      for (int i = 0; i < count; i++) {
        y[i] = F.apply(x[i]);
      }
    }

    @Override
    public void direct(long in, long out, int count) {
      for (int i = 0; i < count; i++) {
        putBoolean(out + i, F.apply(getBoolean(in + i)));
      }
    }
  }

  static final class Binary implements FoldTile {
    private static final Scalar.BooleanBinary F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.BooleanBinary.class);

    @Override
    public void run(Object left, Object right, Object out, int count) {
      boolean[] x = (boolean[]) left;
      boolean[] y = (boolean[]) right;
      boolean[] z = (boolean[]) out;
      for (int i = 0; i < count; i++) {
        z[i] = F.apply(x[i], y[i]);
      }
    }

    @Override
    public void direct(long left, long leftStep, long right, long rightStep, long out, int count) {
      for (int i = 0; i < count; i++) {
        putBoolean(
            out + i, F.apply(getBoolean(left + leftStep * i), getBoolean(right + rightStep * i)));
      }
    }

    @Override
    public void foldRows(Object tile, int rows, int width) {
      boolean[] x = (boolean[]) tile;
      for (int row = 0, at = 0; row < rows; row++) {
        int end = at + width;
        boolean folded = x[at++];
        if (width >= 8) { // four chains, as one alone would wait for each result
          boolean second = x[at++];
          boolean third = x[at++];
          boolean fourth = x[at++];
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
      boolean[] x = (boolean[]) tile;
      boolean running = ((boolean[]) carry)[0];
      int step = reverse ? -1 : 1;
      for (int i = reverse ? count - 1 : 0; i >= 0 && i < count; i += step) {
        boolean next = F.apply(running, x[i]);
        x[i] = exclusive ? running : next;
        running = next;
      }
      ((boolean[]) carry)[0] = running;
    }
  }
}
