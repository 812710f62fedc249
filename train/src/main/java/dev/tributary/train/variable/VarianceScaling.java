package dev.tributary.train.variable;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.VariableSlice;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.OptionalLong;

/**
 * Random weights whose variance is {@code scale / n}, where {@code n} counts a unit's connections,
 * so that signals keep their size from layer to layer. The parts of a partitioned variable get the
 * scale of the whole.
 */
public record VarianceScaling(double scale, Mode mode, Distribution distribution, OptionalLong seed)
    implements Initializer {
  /** The connections that count. */
  public enum Mode {
    FAN_IN,
    FAN_OUT,
    FAN_AVG
  }

  /** The distribution of the weights. */
  public enum Distribution {
    UNIFORM,
    UNTRUNCATED_NORMAL,
    TRUNCATED_NORMAL
  }

  /** The deviation of a standard normal distribution that is cut at two deviations. */
  private static final double TRUNCATED_DEVIATION = .87962566103423978;

  public static VarianceScaling of(double scale, Mode mode, Distribution distribution) {
    return new VarianceScaling(scale, mode, distribution, OptionalLong.empty());
  }

  public VarianceScaling withSeed(long newSeed) {
    return new VarianceScaling(scale, mode, distribution, OptionalLong.of(newSeed));
  }

  @Override
  public Output initialValue(Ops tf, DataType type, VariableSlice slice) {
    return drawn(variance(slice.fullShape())).initialValue(tf, type, slice);
  }

  private Initializer drawn(double variance) {
    switch (distribution) {
      case UNIFORM:
        double limit = Math.sqrt(3 * variance);
        return seed.isPresent()
            ? Initializers.randomUniform(-limit, limit, seed.getAsLong())
            : Initializers.randomUniform(-limit, limit);
      case UNTRUNCATED_NORMAL:
        double deviation = Math.sqrt(variance);
        return seed.isPresent()
            ? Initializers.randomNormal(0, deviation, seed.getAsLong())
            : Initializers.randomNormal(0, deviation);
      case TRUNCATED_NORMAL:
        double wider = Math.sqrt(variance) / TRUNCATED_DEVIATION;
        return seed.isPresent()
            ? Initializers.truncatedNormal(0, wider, seed.getAsLong())
            : Initializers.truncatedNormal(0, wider);
    }
    throw new AssertionError(distribution);
  }

  private double variance(Shape shape) {
    double fanIn = fan(shape, 2);
    double fanOut = fan(shape, 1);
    double connections =
        switch (mode) {
          case FAN_IN -> fanIn;
          case FAN_OUT -> fanOut;
          case FAN_AVG -> (fanIn + fanOut) / 2;
        };
    return scale / Math.max(1, connections);
  }

  /**
   * Connections of a unit: the dimension {@code fromEnd}, times the places of a convolution's
   * kernel.
   */
  private static double fan(Shape shape, int fromEnd) {
    int rank = shape.rank();
    if (rank < 2) {
      return rank == 0 ? 1 : shape.size(0);
    }
    return shape.size(rank - fromEnd) * (double) shape.slice(0, rank - 2).elementCount();
  }
}
