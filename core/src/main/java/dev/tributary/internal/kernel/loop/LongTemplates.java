package dev.tributary.internal.kernel.loop;

import static dev.tributary.internal.memory.Memory.getLong;
import static dev.tributary.internal.memory.Memory.putBoolean;
import static dev.tributary.internal.memory.Memory.putLong;

import java.lang.invoke.MethodHandles;

/** The loops over longs; see {@link LoopStamp}. */
final class LongTemplates {
  private LongTemplates() {}

  static final class Unary implements UnaryTile {
    private static final Scalar.LongUnary F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.LongUnary.class);

    @Override
    public void run(Object in, Object out, int count) {
      long[] x = (long[]) in;
      long[] y = (long[]) out;
      for (int i = 0; i < count; i++) {
        y[i] = F.apply(x[i]);
      }
    }

    @Override
    public void direct(long in, long out, int count) {
      for (int i = 0; i < count; i++) {
        putLong(out + 8L * i, F.apply(getLong(in + 8L * i)));
      }
    }
  }

  static final class Binary implements FoldTile {
    private static final Scalar.LongBinary F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.LongBinary.class);

    @Override
    public void run(Object left, Object right, Object out, int count) {
      long[] x = (long[]) left;
      long[] y = (long[]) right;
      long[] z = (long[]) out;
      for (int i = 0; i < count; i++) {
        z[i] = F.apply(x[i], y[i]);
      }
    }

    @Override
    public void direct(long left, long leftStep, long right, long rightStep, long out, int count) {
      for (int i = 0; i < count; i++) {
        putLong(
            out + 8L * i, F.apply(getLong(left + leftStep * i), getLong(right + rightStep * i)));
      }
    }

    @Override
    public void foldRows(Object tile, int rows, int width) {
      long[] x = (long[]) tile;
      for (int row = 0, at = 0; row < rows; row++) {
        int end = at + width;
        long folded = x[at++];
        if (width >= 8) { // four chains, as one alone would wait for each result
          long second = x[at++];
          long third = x[at++];
          long fourth = x[at++];
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
      long[] x = (long[]) tile;
      long running = ((long[]) carry)[0];
      int step = reverse ? -1 : 1;
      for (int i = reverse ? count - 1 : 0; i >= 0 && i < count; i += step) {
        long next = F.apply(running, x[i]);
        x[i] = exclusive ? running : next;
        running = next;
      }
      ((long[]) carry)[0] = running;
    }
  }

  static final class Comparison implements BinaryTile {
    private static final Scalar.LongComparison F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.LongComparison.class);

    @Override
    public void run(Object left, Object right, Object out, int count) {
      long[] x = (long[]) left;
      long[] y = (long[]) right;
      boolean[] z = (boolean[]) out;
      for (int i = 0; i < count; i++) {
        z[i] = F.test(x[i], y[i]);
      }
    }

    @Override
    public void direct(long left, long leftStep, long right, long rightStep, long out, int count) {
      for (int i = 0; i < count; i++) {
        putBoolean(out + i, F.test(getLong(left + leftStep * i), getLong(right + rightStep * i)));
      }
    }
  }
}
