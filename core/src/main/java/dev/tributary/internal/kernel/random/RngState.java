package dev.tributary.internal.kernel.random;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.state.VariableInput;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/**
 * The state of a random generator that a program keeps in a variable of type int64: the two halves
 * of a counter and a key.
 */
public final class RngState {
  /** Elements of the state. */
  public static final int SIZE = 3;

  /** TensorFlow's number of the Philox algorithm, the one that CPUs have. */
  public static final int PHILOX = 1;

  /** Its number for any algorithm that suits the device. */
  public static final int AUTOMATIC = 3;

  /** Blocks of the stream that one step of the counter stands for, as in {@link GuardedPhilox}. */
  private static final long BLOCKS_PER_STEP = 256;

  private RngState() {}

  /** Fails for other algorithms than Philox. */
  public static void requirePhilox(Tensor algorithm) {
    IndexTensors.requireScalar(algorithm, "algorithm");
    requirePhilox(algorithm.getIndex(0));
  }

  private static void requirePhilox(long number) {
    if (number != PHILOX && number != AUTOMATIC) {
      throw TributaryException.invalidArgument(
          "Unsupported algorithm id: %d; %d (Philox) and %d (automatic) are known",
          number, PHILOX, AUTOMATIC);
    }
  }

  /** The stream at the state in input 0, which moves on by {@code steps}. */
  public static Philox take(KernelContext context, long steps) {
    return take(context, 0, steps);
  }

  /** The same for a state that begins with the number of its algorithm. */
  public static Philox takeTagged(KernelContext context, long steps) {
    return take(context, 1, steps);
  }

  private static Philox take(KernelContext context, int first, long steps) {
    VariableResource variable = VariableInput.RESOURCE.variable(context, 0, DataType.INT64);
    try (VariableResource.Locked locked = VariableResource.lock(variable)) {
      Tensor state = locked.value(variable);
      if (state.rank() != 1 || state.elementCount() < first + SIZE) {
        throw TributaryException.invalidArgument(
            "the state of a Philox generator must be a vector of %d elements or more, got shape %s",
            first + SIZE, state.shape());
      }
      if (first > 0) {
        requirePhilox(state.getLong(0));
      }
      long address =
          locked.writable(variable, context.allocator()).storage().address() + 8L * first;
      Philox stream =
          new Philox(
              Memory.getLong(address + 16), Memory.getLong(address), Memory.getLong(address + 8));
      Philox next = stream.copy();
      next.skip(steps * BLOCKS_PER_STEP);
      Memory.putLong(address, next.counterLow());
      Memory.putLong(address + 8, next.counterHigh());
      return stream;
    }
  }
}
