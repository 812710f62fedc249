package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.function.LongFunction;

/**
 * The kernels of Unique and UniqueWithCounts: the different elements of a vector in the order of
 * their first appearance, for each element which of them it is, and how often each appears. In the
 * second versions of these ops they are the slices of a tensor along an axis. A hash table with
 * open addressing holds the number of each different element. Zeros of either sign are equal, a NaN
 * equals nothing.
 */
public final class Unique {
  private final Tensor input;
  private final int count;
  private final long outer;
  private final long inner;

  /** The number of a different element plus one; 0 where the table is free. */
  private final int[] table;

  /** The first position of each different element. */
  private int[] firsts = new int[16];

  private int found;

  Unique(Tensor input) {
    this(input, ArrayLength.of(input.elementCount()), 1, 1);
  }

  /**
   * @param outer how many runs make up a slice
   * @param inner how many elements a run has
   */
  private Unique(Tensor input, int count, long outer, long inner) {
    this.input = input;
    this.count = count;
    this.outer = outer;
    this.inner = inner;
    this.table = new int[Math.max(4, Integer.highestOneBit(Math.max(1, count)) << 2)];
  }

  /** The kernel for elements of this type. */
  public static Kernel kernel(DataType type) {
    requireType(type);
    return context -> compute(context, false);
  }

  /** The same with a third output: how often each of the different elements appears. */
  public static Kernel counting(DataType type) {
    requireType(type);
    return context -> compute(context, true);
  }

  /** Slices along the axis that the second input names; a vector's if it names none. */
  public static Kernel ofSlices(DataType type, boolean counts) {
    requireType(type);
    return context -> {
      Tensor axes = context.input(1);
      if (axes.elementCount() == 0) {
        compute(context, counts);
        return;
      }
      Tensor input = context.input(0);
      int axis = Axes.resolve(IndexTensors.scalar(axes, "axis"), input.rank());
      long outer = Axes.outer(input.shape(), axis);
      long inner = Axes.inner(input.shape(), axis);
      int count = ArrayLength.of(input.shape().size(axis));
      new Unique(input, count, outer, inner)
          .run(context, counts, found -> input.shape().withSize(axis, found));
    };
  }

  /** Fails unless elements of this type can be told apart. */
  public static void requireType(DataType type) {
    if (type.isComplex() || type.isObject() && type != DataType.STRING) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: real numbers, bool, string", type.lowerName());
    }
  }

  private static void compute(KernelContext context, boolean counts) {
    Tensor input = context.input(0);
    if (input.rank() != 1) {
      throw TributaryException.invalidArgument(
          "unique expects a 1D vector, got shape %s", input.shape());
    }
    new Unique(input).run(context, counts, Shape::of);
  }

  private void run(KernelContext context, boolean counts, LongFunction<Shape> shape) {
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = numberOf(i);
    }
    RowMove move = new RowMove(input, context.allocateOutput(0, shape.apply(found)), inner);
    for (long o = 0; o < outer; o++) {
      for (int i = 0; i < found; i++) {
        move.move(o * count + firsts[i], o * found + i);
      }
    }
    IndexTensors.setVector(context, 1, numbers);
    if (counts) {
      long[] appearances = new long[found];
      for (long number : numbers) {
        appearances[(int) number]++;
      }
      IndexTensors.setVector(context, 2, appearances);
    }
  }

  /** The number of element {@code i} among the different ones; asked for one after the other. */
  int numberOf(int i) {
    int slot = hash(i) & table.length - 1;
    while (table[slot] != 0) {
      if (equal(firsts[table[slot] - 1], i)) {
        return table[slot] - 1;
      }
      slot = slot + 1 & table.length - 1;
    }
    if (found == firsts.length) {
      firsts = Arrays.copyOf(firsts, 2 * found);
    }
    firsts[found++] = i;
    table[slot] = found;
    return found - 1;
  }

  private int hash(int slice) {
    if (outer == 1 && inner == 1) {
      return hash((long) slice);
    }
    int hash = 0;
    for (long o = 0; o < outer; o++) {
      long first = (o * count + slice) * inner;
      for (long i = first; i < first + inner; i++) {
        hash = 31 * hash + hash(i);
      }
    }
    return hash;
  }

  private boolean equal(int slice, int other) {
    for (long o = 0; o < outer; o++) {
      long first = (o * count + slice) * inner;
      long second = (o * count + other) * inner;
      for (long i = 0; i < inner; i++) {
        if (!equal(first + i, second + i)) {
          return false;
        }
      }
    }
    return true;
  }

  private int hash(long i) {
    if (input.type().isObject()) {
      return spread(Arrays.hashCode((byte[]) input.objects()[(int) i]));
    }
    return spread(
        input.type().isFloating()
            ? Double.doubleToLongBits(Reals.at(input, i) + 0.0)
            : IndexTensors.at(input, i));
  }

  private boolean equal(long i, long j) {
    if (input.type().isObject()) {
      return Arrays.equals((byte[]) input.objects()[(int) i], (byte[]) input.objects()[(int) j]);
    }
    return input.type().isFloating()
        ? Reals.at(input, i) == Reals.at(input, j)
        : IndexTensors.at(input, i) == IndexTensors.at(input, j);
  }

  private static int spread(long bits) {
    long mixed = bits * 0x9e3779b97f4a7c15L;
    return (int) (mixed >>> 32);
  }
}
