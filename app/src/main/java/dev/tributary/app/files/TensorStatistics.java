package dev.tributary.app.files;

import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/**
 * Statistics of the finite elements of a tensor, and the number of others.
 *
 * @param finite how many elements are neither infinite nor not a number
 */
record TensorStatistics(
    double min, double max, double mean, double deviation, long finite, long others) {
  private static final int CHUNK = 1 << 14;

  /** Nothing for strings, complex numbers and tensors without elements. */
  static Optional<TensorStatistics> of(Tensor tensor) {
    DataType type = tensor.type();
    if (type.isObject() || type.isComplex() || tensor.elementCount() == 0) {
      return Optional.empty();
    }
    Moments moments = new Moments();
    int size = type.size();
    try (Tensor chunk = Tensor.allocate(DataType.DOUBLE, Shape.of(CHUNK))) {
      for (long at = 0; at < tensor.elementCount(); at += CHUNK) {
        int count = (int) Math.min(CHUNK, tensor.elementCount() - at);
        CastLoop.run(
            type,
            tensor.storage().address() + at * size,
            DataType.DOUBLE,
            chunk.storage().address(),
            count);
        for (int i = 0; i < count; i++) {
          moments.add(chunk.getDouble(i));
        }
      }
    }
    return Optional.of(moments.finish());
  }

  boolean isAllFinite() {
    return others == 0;
  }

  /** Welford's running mean and sum of squared differences, which lose no digits. */
  private static final class Moments {
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    private double mean;
    private double squares;
    private long finite;
    private long others;

    void add(double value) {
      if (!Double.isFinite(value)) {
        others++;
        return;
      }
      finite++;
      min = Math.min(min, value);
      max = Math.max(max, value);
      double difference = value - mean;
      mean += difference / finite;
      squares += difference * (value - mean);
    }

    TensorStatistics finish() {
      return new TensorStatistics(
          min, max, mean, finite == 0 ? 0 : Math.sqrt(squares / finite), finite, others);
    }
  }
}
