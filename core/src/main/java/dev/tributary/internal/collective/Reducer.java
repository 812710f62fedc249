package dev.tributary.internal.collective;

import dev.tributary.internal.kernel.CollectiveCall;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.memory.HalfFloats;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The arithmetic of a reduction, on elements in memory. */
record Reducer(CollectiveCall call) {
  /** Joins elements; {@code out} may be {@code left}. */
  void merge(long left, long right, long out, long elements) {
    Shape flat = Shape.of(elements);
    call.device()
        .backend()
        .elementWise(loop(), call.type(), Broadcast.of(flat, flat), left, right, out);
  }

  private BinaryLoop loop() {
    return switch (call.reduction().merge()) {
      case ADD -> Arithmetic.ADD;
      case MULTIPLY -> Arithmetic.MULTIPLY;
      case MINIMUM -> Arithmetic.MINIMUM;
      case MAXIMUM -> Arithmetic.MAXIMUM;
    };
  }

  /** Makes joined elements the result: divides them by the number of members, for a mean. */
  void finish(long address, long elements, int members) {
    if (!call.reduction().isMean() || elements == 0) {
      return;
    }
    try (Tensor divisor = number(members)) {
      call.device()
          .backend()
          .elementWise(
              Arithmetic.DIVIDE,
              call.type(),
              Broadcast.of(Shape.of(elements), Shape.scalar()),
              address,
              divisor.storage().address(),
              address);
    }
  }

  private Tensor number(int value) {
    DataType type = call.type();
    Tensor number = SharedTensors.allocate(call.device().allocator(), type, Shape.scalar());
    long address = number.storage().address();
    switch (type) {
      case FLOAT -> Memory.putFloat(address, value);
      case DOUBLE -> Memory.putDouble(address, value);
      case INT32 -> Memory.putInt(address, value);
      case INT64 -> Memory.putLong(address, value);
      case HALF -> Memory.putShort(address, HalfFloats.floatToHalf(value));
      default -> Memory.putShort(address, HalfFloats.floatToBfloat16(value));
    }
    return number;
  }
}
