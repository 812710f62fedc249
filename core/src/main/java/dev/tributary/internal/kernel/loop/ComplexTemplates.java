package dev.tributary.internal.kernel.loop;

import static dev.tributary.internal.memory.Memory.getDouble;
import static dev.tributary.internal.memory.Memory.putBoolean;
import static dev.tributary.internal.memory.Memory.putDouble;

import java.lang.invoke.MethodHandles;

/**
 * The loops over complex numbers, whose parts take turns in tiles; see {@link LoopStamp}. What the
 * templates share is not private, since their copies are not in this class's nest.
 */
final class ComplexTemplates {
  private ComplexTemplates() {}

  static Complex at(Object tile, int i) {
    double[] parts = (double[]) tile;
    return new Complex(parts[2 * i], parts[2 * i + 1]);
  }

  static void put(Object tile, int i, Complex value) {
    double[] parts = (double[]) tile;
    parts[2 * i] = value.re();
    parts[2 * i + 1] = value.im();
  }

  static Complex at(long address) {
    return new Complex(getDouble(address), getDouble(address + 8));
  }

  static void put(long address, Complex value) {
    putDouble(address, value.re());
    putDouble(address + 8, value.im());
  }

  static final class Unary implements UnaryTile {
    private static final Scalar.ComplexUnary F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.ComplexUnary.class);

    @Override
    public void run(Object in, Object out, int count) {
      for (int i = 0; i < count; i++) {
        put(out, i, F.apply(at(in, i)));
      }
    }

    @Override
    public void direct(long in, long out, int count) {
      for (int i = 0; i < count; i++) {
        put(out + 16L * i, F.apply(at(in + 16L * i)));
      }
    }
  }

  static final class Binary implements FoldTile {
    private static final Scalar.ComplexBinary F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.ComplexBinary.class);

    @Override
    public void run(Object left, Object right, Object out, int count) {
      for (int i = 0; i < count; i++) {
        put(out, i, F.apply(at(left, i), at(right, i)));
      }
    }

    @Override
    public void direct(long left, long leftStep, long right, long rightStep, long out, int count) {
      for (int i = 0; i < count; i++) {
        put(out + 16L * i, F.apply(at(left + leftStep * i), at(right + rightStep * i)));
      }
    }

    @Override
    public void foldRows(Object tile, int rows, int width) {
      for (int row = 0, at = 0; row < rows; row++) {
        Complex folded = at(tile, at++);
        for (int i = 1; i < width; i++) {
          folded = F.apply(folded, at(tile, at++));
        }
        put(tile, row, folded);
      }
    }

    @Override
    public void scan(Object tile, int count, boolean exclusive, boolean reverse, Object carry) {
      Complex running = at(carry, 0);
      int step = reverse ? -1 : 1;
      for (int i = reverse ? count - 1 : 0; i >= 0 && i < count; i += step) {
        Complex next = F.apply(running, at(tile, i));
        put(tile, i, exclusive ? running : next);
        running = next;
      }
      put(carry, 0, running);
    }
  }

  static final class Comparison implements BinaryTile {
    private static final Scalar.ComplexComparison F =
        LoopStamp.function(MethodHandles.lookup(), Scalar.ComplexComparison.class);

    @Override
    public void run(Object left, Object right, Object out, int count) {
      boolean[] z = (boolean[]) out;
      for (int i = 0; i < count; i++) {
        z[i] = F.test(at(left, i), at(right, i));
      }
    }

    @Override
    public void direct(long left, long leftStep, long right, long rightStep, long out, int count) {
      for (int i = 0; i < count; i++) {
        putBoolean(out + i, F.test(at(left + leftStep * i), at(right + rightStep * i)));
      }
    }
  }
}
