package dev.tributary.ops;

import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.Arrays;
import java.util.Optional;

/** The known part of integer inputs that become a shape: at least their number of elements. */
final class KnownValues {
  private static final int LIMIT = 256;

  private KnownValues() {}

  /** Input {@code i} as far as it is known; its elements are unknown if only its shape is known. */
  static Optional<KnownValue> of(InferenceContext context, int i) {
    Optional<KnownValue> known = knownOrConstant(context, i);
    Shape shape = context.input(i);
    DataType type = context.inputType(i);
    boolean integers = type == DataType.INT32 || type == DataType.INT64;
    if (known.isPresent()
        || !integers
        || !shape.isFullyDefined()
        || shape.rank() > 1
        || shape.elementCount() > LIMIT) {
      return known;
    }
    long[] elements = new long[(int) shape.elementCount()];
    Arrays.fill(elements, KnownValue.UNKNOWN);
    return Optional.of(new KnownValue(shape.isScalar(), elements));
  }

  /** The elements of input {@code i} if all of them are known. */
  static Optional<long[]> complete(InferenceContext context, int i) {
    return knownOrConstant(context, i).filter(KnownValue::isComplete).map(KnownValue::elements);
  }

  /**
   * Constants of the narrow integer types are of use for indices too, though nobody computes shapes
   * with them.
   */
  private static Optional<KnownValue> knownOrConstant(InferenceContext context, int i) {
    return context
        .known(i)
        .or(
            () ->
                context
                    .constant(i)
                    .filter(t -> t.type().isInteger() && t.rank() <= 1 && t.elementCount() <= LIMIT)
                    .map(t -> new KnownValue(t.rank() == 0, IndexTensors.all(t))));
  }

  /** A vector of which something is known; nothing otherwise. */
  static Optional<KnownValue> vector(long... elements) {
    return Optional.of(KnownValue.vector(elements)).filter(KnownValues::saysSomething);
  }

  /** Returns whether a value is small enough to be kept and has a known element, or none at all. */
  static boolean saysSomething(KnownValue value) {
    long[] elements = value.elements();
    boolean any =
        elements.length == 0 || Arrays.stream(elements).anyMatch(e -> e != KnownValue.UNKNOWN);
    return any && elements.length <= LIMIT;
  }

  /** The same elements as a scalar or a vector; nothing for other ranks. */
  static Optional<KnownValue> withRank(Optional<KnownValue> value, int rank) {
    return value
        .filter(v -> rank == 1 || (rank == 0 && v.elements().length == 1))
        .map(v -> new KnownValue(rank == 0, v.elements()));
  }

  /** Every {@code step}-th of the elements, {@code count} of them, from {@code begin} on. */
  static Optional<KnownValue> pick(long[] elements, long begin, long step, long count) {
    long[] picked = new long[(int) count];
    for (int i = 0; i < picked.length; i++) {
      picked[i] = elements[(int) (begin + i * step)];
    }
    return vector(picked);
  }
}
