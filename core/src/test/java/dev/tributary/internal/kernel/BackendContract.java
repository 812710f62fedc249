package dev.tributary.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.Random;

/**
 * What all contracts of {@link Backend} share: the backend under test, seeded numbers, and
 * comparison up to rounding.
 */
public interface BackendContract {
  DataType[] REALS = {DataType.FLOAT, DataType.DOUBLE};

  Backend backend();

  /** Numbers in [-1, 1) that a float holds exactly. */
  default double[] random(long seed, long count) {
    Random random = new Random(seed);
    double[] values = new double[(int) count];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat() * 2 - 1;
    }
    return values;
  }

  default Tensor tensor(DataType type, double... values) {
    if (type == DataType.DOUBLE) {
      return Tensor.of(values);
    }
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return Tensor.of(floats);
  }

  /** A tensor full of NaN, so that a place the backend forgets to write is seen. */
  default Tensor unwritten(DataType type, long count) {
    double[] values = new double[(int) count];
    Arrays.fill(values, Double.NaN);
    return tensor(type, values);
  }

  default double[] values(Tensor tensor) {
    if (tensor.type() == DataType.DOUBLE) {
      return tensor.toDoubles();
    }
    float[] floats = tensor.toFloats();
    double[] values = new double[floats.length];
    for (int i = 0; i < floats.length; i++) {
      values[i] = floats[i];
    }
    return values;
  }

  default void assertClose(String what, Tensor actual, double[] wanted) {
    assertClose(what, actual, wanted, 1);
  }

  /**
   * The same for sums of {@code terms} numbers of size 1, whose rounding errors add up like a
   * random walk.
   */
  default void assertClose(String what, Tensor actual, double[] wanted, long terms) {
    double tolerance =
        (actual.type() == DataType.DOUBLE ? 1e-11 : 2e-5) * Math.max(1, Math.sqrt(terms) / 16);
    double[] got = values(actual);
    assertThat(got).as(what).hasSameSizeAs(wanted);
    for (int i = 0; i < wanted.length; i++) {
      if (Double.isNaN(wanted[i])) {
        assertThat(got[i]).as("%s [%d]", what, i).isNaN();
      } else if (!(Math.abs(got[i] - wanted[i]) <= tolerance * (1 + Math.abs(wanted[i])))) {
        assertThat(got[i])
            .as("%s [%d]", what, i)
            .isCloseTo(wanted[i], within(tolerance * (1 + Math.abs(wanted[i]))));
      }
    }
  }

  /** The place of an image's element in its format. */
  static int at(
      ImageFormat format, long height, long width, long channels, long n, long y, long x, long c) {
    return (int)
        (format == ImageFormat.NHWC
            ? ((n * height + y) * width + x) * channels + c
            : ((n * channels + c) * height + y) * width + x);
  }

  /** An empty tensor's place in memory, which nobody may touch. */
  static Tensor empty(DataType type) {
    return Tensor.allocate(type, Shape.of(0));
  }
}
