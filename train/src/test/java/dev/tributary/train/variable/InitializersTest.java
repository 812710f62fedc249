package dev.tributary.train.variable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.ops.Ops;
import dev.tributary.ops.VariableSlice;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.testing.ModelRun;
import java.util.List;
import org.junit.jupiter.api.Test;

class InitializersTest {
  /** 30,000 weights of 100 inputs and 300 outputs. */
  private static final Shape SHAPE = Shape.of(100, 300);

  @Test
  void glorotUniform_ofMatrix_fillsItsRange() {
    double limit = Math.sqrt(6.0 / 400);
    Sample sample = Sample.of(Initializers.glorotUniform().withSeed(1), SHAPE);

    assertThat(sample.max).isBetween(0.98 * limit, limit);
    assertThat(sample.min).isBetween(-limit, -0.98 * limit);
    assertThat(sample.deviation).isCloseTo(Math.sqrt(2.0 / 400), within(1e-3));
  }

  @Test
  void glorotNormal_ofMatrix_hasTheVarianceDespiteItsCut() {
    Sample sample = Sample.of(Initializers.glorotNormal().withSeed(1), SHAPE);

    assertThat(sample.deviation).isCloseTo(Math.sqrt(2.0 / 400), within(1e-3));
    assertThat(sample.max).isLessThan(2 * Math.sqrt(2.0 / 400) / 0.8796 + 1e-6);
  }

  @Test
  void he_ofConvolution_countsThePlacesOfTheKernel() {
    Shape kernel = Shape.of(3, 3, 40, 80);
    double deviation = Math.sqrt(2.0 / (9 * 40));

    assertThat(Sample.of(Initializers.heNormal().withSeed(2), kernel).deviation)
        .isCloseTo(deviation, within(2e-3));
    assertThat(Sample.of(Initializers.heUniform().withSeed(2), kernel).max)
        .isBetween(0.98 * Math.sqrt(3) * deviation, Math.sqrt(3) * deviation);
  }

  @Test
  void varianceScaling_fanOutUntruncated_hasItsDeviation() {
    VarianceScaling initializer =
        VarianceScaling.of(
                1, VarianceScaling.Mode.FAN_OUT, VarianceScaling.Distribution.UNTRUNCATED_NORMAL)
            .withSeed(3);
    Sample sample = Sample.of(initializer, SHAPE);

    assertThat(sample.deviation).isCloseTo(Math.sqrt(1.0 / 300), within(1e-3));
    assertThat(sample.max).isGreaterThan(3 * Math.sqrt(1.0 / 300));
  }

  @Test
  void randomNormal_withMeanAndDeviation_hasThem() {
    Sample sample = Sample.of(Initializers.randomNormal(5, 2, 7), SHAPE);

    assertThat(sample.mean).isCloseTo(5, within(0.05));
    assertThat(sample.deviation).isCloseTo(2, within(0.05));
  }

  @Test
  void truncatedNormal_withMeanAndDeviation_staysWithinTwo() {
    Sample sample = Sample.of(Initializers.truncatedNormal(5, 2, 7), SHAPE);

    assertThat(sample.min).isBetween(1.0, 1.1);
    assertThat(sample.max).isBetween(8.9, 9.0);
  }

  @Test
  void randomUniform_ofRange_fillsIt() {
    Sample sample = Sample.of(Initializers.randomUniform(-1, 3, 7), SHAPE);

    assertThat(sample.min).isBetween(-1.0, -0.99);
    assertThat(sample.max).isBetween(2.99, 3.0);
    assertThat(sample.mean).isCloseTo(1, within(0.05));
  }

  @Test
  void varianceScaling_ofPart_hasTheScaleOfTheWhole() {
    VariableSlice part = new VariableSlice("w", SHAPE, List.of(0L, 0L), Shape.of(10, 300));
    Sample sample = Sample.of(Initializers.glorotUniform().withSeed(1), part);

    assertThat(sample.max).isBetween(0.98 * Math.sqrt(6.0 / 400), Math.sqrt(6.0 / 400));
  }

  /** Statistics of an initial value. */
  private record Sample(double mean, double deviation, double min, double max) {
    static Sample of(Initializer initializer, Shape shape) {
      return of(initializer, VariableSlice.whole("w", shape));
    }

    static Sample of(Initializer initializer, VariableSlice slice) {
      Ops tf = Ops.create();
      var value = initializer.initialValue(tf, DataType.FLOAT, slice);
      assertThat(value.shape()).isEqualTo(slice.shape());
      double sum = 0;
      double squares = 0;
      double min = Double.MAX_VALUE;
      double max = -Double.MAX_VALUE;
      try (ModelRun run = ModelRun.of(tf)) {
        float[] all = run.floats(value);
        for (float x : all) {
          sum += x;
          squares += (double) x * x;
          min = Math.min(min, x);
          max = Math.max(max, x);
        }
        double mean = sum / all.length;
        return new Sample(mean, Math.sqrt(squares / all.length - mean * mean), min, max);
      }
    }
  }
}
