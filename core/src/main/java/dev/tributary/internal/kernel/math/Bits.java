package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.UnaryLoop;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** Functions of the bits of integers. */
public final class Bits {
  public static final BinaryLoop AND = BinaryLoop.of().ints((x, y) -> x & y).longs((x, y) -> x & y);

  public static final BinaryLoop OR = BinaryLoop.of().ints((x, y) -> x | y).longs((x, y) -> x | y);

  public static final BinaryLoop XOR = BinaryLoop.of().ints((x, y) -> x ^ y).longs((x, y) -> x ^ y);

  public static final UnaryLoop INVERT = UnaryLoop.of().ints(x -> ~x).longs(x -> ~x);

  private static final BinaryLoop LEFT_8 = BinaryLoop.of().ints((x, y) -> x << within(y, 8));
  private static final BinaryLoop LEFT_16 = BinaryLoop.of().ints((x, y) -> x << within(y, 16));
  private static final BinaryLoop LEFT =
      BinaryLoop.of()
          .ints((x, y) -> x << within(y, 32))
          .longs((x, y) -> x << Math.max(0, Math.min(y, 63)));

  private static final BinaryLoop RIGHT_8 = BinaryLoop.of().ints((x, y) -> x >> within(y, 8));
  private static final BinaryLoop RIGHT_16 = BinaryLoop.of().ints((x, y) -> x >> within(y, 16));
  private static final BinaryLoop RIGHT =
      BinaryLoop.of()
          .ints((x, y) -> x >> within(y, 32))
          .longs((x, y) -> x >> Math.max(0, Math.min(y, 63)));

  private static final BinaryLoop LEFT_UNSIGNED =
      BinaryLoop.of().longs((x, y) -> x << Math.min(y, 31));

  private static final BinaryLoop RIGHT_UNSIGNED =
      BinaryLoop.of().longs((x, y) -> x >> Math.min(y, 31));

  private Bits() {}

  /** Shifts by 0 to one bit less than the type has, whatever is asked for. */
  public static KernelFactory leftShift() {
    return bySize(LEFT_8, LEFT_16, LEFT_UNSIGNED, LEFT);
  }

  public static KernelFactory rightShift() {
    return bySize(RIGHT_8, RIGHT_16, RIGHT_UNSIGNED, RIGHT);
  }

  /** An uint32 is computed as a long, but shifted by 31 bits at most. */
  private static KernelFactory bySize(
      BinaryLoop one, BinaryLoop two, BinaryLoop unsigned, BinaryLoop more) {
    return node -> {
      DataType type = node.type();
      BinaryLoop wide = type == DataType.UINT32 ? unsigned : more;
      return BinaryKernel.of(type.size() == 1 ? one : type.size() == 2 ? two : wide).create(node);
    };
  }

  private static int within(int shift, int bits) {
    return Math.max(0, Math.min(shift, bits - 1));
  }

  /** Counts the bits that are set in each element. */
  public static void populationCount(KernelContext context) {
    Tensor x = context.input(0);
    long out = context.allocateOutput(0, x.shape()).storage().address();
    long mask = -1L >>> 64 - 8 * x.type().size();
    for (long i = 0; i < x.elementCount(); i++) {
      Memory.putByte(out + i, (byte) Long.bitCount(IndexTensors.at(x, i) & mask));
    }
  }
}
