package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** The kernels of CheckNumerics and Bitcast, which look at the bits of elements. */
public final class Numerics {
  private Numerics() {}

  /** Passes the input on; fails with {@code message} if it has an infinity or a NaN. */
  public static void check(KernelContext context, String message) {
    Tensor tensor = context.input(0);
    // An infinity has all bits of the exponent set and none of the fraction; a NaN has some of
    // these too.
    long magnitude = -1L >>> 65 - 8 * tensor.type().size();
    long infinity = infinity(tensor.type());
    boolean infinite = false;
    boolean nan = false;
    for (long i = 0; i < tensor.elementCount(); i++) {
      long bits = bits(tensor, i) & magnitude;
      infinite |= bits == infinity;
      nan |= bits > infinity;
    }
    if (infinite || nan) {
      String found = infinite && nan ? "Inf and NaN" : nan ? "NaN" : "Inf";
      throw TributaryException.invalidArgument("%s : Tensor had %s values", message, found);
    }
    context.setOutput(0, tensor.retain());
  }

  /** The same with a message that says the signs of infinities. */
  public static void checkSigned(KernelContext context, String message) {
    Tensor tensor = context.input(0);
    infinity(tensor.type());
    boolean negative = false;
    boolean positive = false;
    boolean nan = false;
    for (long i = 0; i < tensor.elementCount(); i++) {
      double value = Reals.at(tensor, i);
      negative |= value == Double.NEGATIVE_INFINITY;
      positive |= value == Double.POSITIVE_INFINITY;
      nan |= Double.isNaN(value);
    }
    List<String> found = new ArrayList<>();
    if (negative) {
      found.add("-Inf");
    }
    if (positive) {
      found.add("+Inf");
    }
    if (nan) {
      found.add("NaN");
    }
    if (!found.isEmpty()) {
      String all = found.size() < 3 ? String.join(" and ", found) : "-Inf, +Inf, and NaN";
      throw TributaryException.invalidArgument("%s : Tensor had %s values", message, all);
    }
    context.setOutput(0, tensor.retain());
  }

  private static long infinity(DataType type) {
    switch (type) {
      case DOUBLE:
        return 0x7ff0_0000_0000_0000L;
      case FLOAT:
        return 0x7f80_0000L;
      case BFLOAT16:
        return 0x7f80L;
      case HALF:
        return 0x7c00L;
      default:
        throw TributaryException.unimplemented(
            "no kernel for type %s; supported: bfloat16, half, float, double", type.lowerName());
    }
  }

  private static long bits(Tensor tensor, long i) {
    switch (tensor.type().size()) {
      case 2:
        return Memory.getShort(tensor.storage().address() + 2 * i);
      case 4:
        return Memory.getInt(tensor.storage().address() + 4 * i);
      default:
        return Memory.getLong(tensor.storage().address() + 8 * i);
    }
  }

  /**
   * The shape of a tensor whose bytes are read as another type: a last dimension comes or goes with
   * the width.
   */
  public static Shape bitcast(Shape input, int fromSize, int toSize) {
    if (fromSize == toSize || !input.hasRank()) {
      return input;
    }
    if (fromSize > toSize) {
      return input.concatenate(Shape.of(fromSize / toSize));
    }
    int parts = toSize / fromSize;
    int last = input.rank() - 1;
    if (last < 0 || (input.size(last) != parts && input.size(last) != Shape.UNKNOWN)) {
      throw TributaryException.invalidArgument(
          "Cannot bitcast from %d to %d bytes: the last dimension of %s must be %d",
          fromSize, toSize, input, parts);
    }
    return input.slice(0, last);
  }
}
