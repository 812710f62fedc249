package dev.tributary.internal.op;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.Optional;

/**
 * A small integer scalar or vector, as far as it is known while the graph is built: a shape on its
 * way to a Reshape, say. Single elements may be {@link #UNKNOWN}.
 */
public record KnownValue(boolean isScalar, long[] elements) {
  /** An element that is not known. Not -1, which means "work it out" to a Reshape. */
  public static final long UNKNOWN = Long.MIN_VALUE;

  private static final int LIMIT = 256;

  public static KnownValue scalar(long value) {
    return new KnownValue(true, new long[] {value});
  }

  public static KnownValue vector(long... values) {
    return new KnownValue(false, values.clone());
  }

  /** The sizes of a shape as a vector; nothing if its rank is unknown. */
  public static Optional<KnownValue> ofShape(Shape shape) {
    if (!shape.hasRank()) {
      return Optional.empty();
    }
    long[] sizes = shape.toArray();
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = sizes[i] == Shape.UNKNOWN ? UNKNOWN : sizes[i];
    }
    return Optional.of(new KnownValue(false, sizes));
  }

  /** A small integer constant. */
  public static Optional<KnownValue> ofTensor(Tensor tensor) {
    boolean integers = tensor.type() == DataType.INT32 || tensor.type() == DataType.INT64;
    if (!integers || tensor.rank() > 1 || tensor.elementCount() > LIMIT) {
      return Optional.empty();
    }
    return Optional.of(new KnownValue(tensor.rank() == 0, tensor.toIndices()));
  }

  public boolean isComplete() {
    return Arrays.stream(elements).noneMatch(e -> e == UNKNOWN);
  }

  /** The elements as sizes, where unknown ones and -1 are both unknown. */
  public Shape toShape() {
    long[] sizes = elements.clone();
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = sizes[i] < 0 ? Shape.UNKNOWN : sizes[i];
    }
    return Shape.of(sizes);
  }
}
