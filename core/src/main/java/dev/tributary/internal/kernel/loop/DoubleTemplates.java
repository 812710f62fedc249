package dev.tributary.internal.kernel.loop;

import static dev.tributary.internal.memory.Memory.getDouble;
import static dev.tributary.internal.memory.Memory.putBoolean;
import static dev.tributary.internal.memory.Memory.putDouble;

import java.lang.invoke.MethodHandles;

/** The loops over doubles; see {@link LoopStamp}. */
final class DoubleTemplates {
  private DoubleTemplates() {}

  static final class Unary implements UnaryTile {
    private static final Scalar.DoubleUnary F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.DoubleUnary.class);

    @Override
    public void run(Object in, Object out, int count) {
      double[] x = (double[]) in;
      double[] y = (double[]) out;
      for (int i = 0; i < count; i++) {
        y[i] = F.apply(x[i]);
      }
    }

    @Override
    public void direct(long in, long out, int count) {
      for (int i = 0; i < count; i++) {
        putDouble(out + 8L * i, F.apply(getDouble(in + 8L * i)));
      }
    }
  }

  static final class Test implements UnaryTile {
    private static final Scalar.DoubleTest F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.DoubleTest.class);

    @Override
    public void run(Object in, Object out, int count) {
      double[] x = (double[]) in;
      boolean[] y = (boolean[]) out;
      for (int i = 0; i < count; i++) {
        y[i] = F.test(x[i]);
      }
    }

    @Override
    public void direct(long in, long out, int count) {
      for (int i = 0; i < count; i++) {
        putBoolean(out + i, F.test(getDouble(in + 8L * i)));
      }
    }
  }

  static final class Binary implements FoldTile {
    private static final Scalar.DoubleBinary F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.DoubleBinary.class);

    @Override
    public void run(Object left, Object right, Object out, int count) {
      double[] x = (double[]) left;
      double[] y = (double[]) right;
      double[] z = (double[]) out;
      for (int i = 0; i < count; i++) {
        z[i] = F.apply(x[i], y[i]);
      }
    }

    @Override
    public void direct(long left, long leftStep, long right, long rightStep, long out, int count) {
      for (int i = 0; i < count; i++) {
        putDouble(
            out + 8L * i,
            F.apply(getDouble(left + leftStep * i), getDouble(right + rightStep * i)));
      }
    }

    @Override
    public void foldRows(Object tile, int rows, int width) {
      double[] x = (double[]) tile;
      for (int row = 0, at = 0; row < rows; row++) {
        int end = at + width;
        double folded = x[at++];
        if (width >= 8) { // four chains, as one alone would wait for each result
          double second = x[at++];
          double third = x[at++];
          double fourth = x[at++];
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
      double[] x = (double[]) tile;
      double running = ((double[]) carry)[0];
      int step = reverse ? -1 : 1;
      for (int i = reverse ? count - 1 : 0; i >= 0 && i < count; i += step) {
        double next = F.apply(running, x[i]);
        x[i] = exclusive ? running : next;
        running = next;
      }
      ((double[]) carry)[0] = running;
    }
  }

  static final class Comparison implements BinaryTile {
    private static final Scalar.DoubleComparison F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.DoubleComparison.class);

    @Override
    public void run(Object left, Object right, Object out, int count) {
      double[] x = (double[]) left;
      double[] y = (double[]) right;
      boolean[] z = (boolean[]) out;
      for (int i = 0; i < count; i++) {
        z[i] = F.test(x[i], y[i]);
      }
    }

    @Override
    public void direct(long left, long leftStep, long right, long rightStep, long out, int count) {
      for (int i = 0; i < count; i++) {
        putBoolean(
            out + i, F.test(getDouble(left + leftStep * i), getDouble(right + rightStep * i)));
      }
    }
  }
}
