package dev.tributary.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.kernel.ArrayLength;
import dev.tributary.kernel.Kernel;
import dev.tributary.kernel.KernelContext;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.HalfFloats;
import dev.tributary.tensor.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * The kernel of Unique: the different elements of a vector in the order of their first appearance,
 * and for each element which of them it is. A hash table with open addressing holds the number of
 * each different element. Zeros of either sign are equal, a NaN equals nothing.
 */
public final class Unique {
  private final Tensor input;
  private final int count;

  /** The number of a different element plus one; 0 where the table is free. */
  private final int[] table;

  /** Where each different element first appears. */
  private int[] firsts = new int[16];

  private int found;

  private Unique(Tensor input) {
    this.input = input;
    this.count = ArrayLength.of(input.elementCount());
    this.table = new int[Math.max(4, Integer.highestOneBit(Math.max(1, count)) << 2)];
  }

  /** The kernel for elements of this type. */
  public static Kernel kernel(DataType type) {
    if (type.isObject() && type != DataType.STRING) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: numbers, bool, string", type.lowerName());
    }
    return Unique::compute;
  }

  private static void compute(KernelContext context) {
    Tensor input = context.input(0);
    if (input.rank() != 1) {
      throw TributaryException.invalidArgument(
          "unique expects a 1D vector, got shape %s", input.shape());
    }
    new Unique(input).run(context);
  }

  private void run(KernelContext context) {
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = numberOf(i);
    }
    RowMove move = new RowMove(input, context.allocateOutput(0, Shape.of(found)), 1);
    for (int i = 0; i < found; i++) {
      move.move(firsts[i], i);
    }
    IndexTensors.setVector(context, 1, numbers);
  }

  private int numberOf(int i) {
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

  private int hash(int i) {
    if (input.type().isObject()) {
      return spread(Arrays.hashCode((byte[]) input.objects()[i]));
    }
    return spread(
        input.type().isFloating()
            ? Double.doubleToLongBits(real(i) + 0.0)
            : IndexTensors.at(input, i));
  }

  private boolean equal(int i, int j) {
    if (input.type().isObject()) {
      return Arrays.equals((byte[]) input.objects()[i], (byte[]) input.objects()[j]);
    }
    return input.type().isFloating()
        ? real(i) == real(j)
        : IndexTensors.at(input, i) == IndexTensors.at(input, j);
  }

  private double real(int i) {
    long address = input.address() + (long) i * input.type().size();
    switch (input.type()) {
      case DOUBLE:
        return Memory.getDouble(address);
      case FLOAT:
        return Memory.getFloat(address);
      case HALF:
        return HalfFloats.halfToFloat(Memory.getShort(address));
      default:
        return HalfFloats.bfloat16ToFloat(Memory.getShort(address));
    }
  }

  private static int spread(long bits) {
    long mixed = bits * 0x9e3779b97f4a7c15L;
    return (int) (mixed >>> 32);
  }
}
