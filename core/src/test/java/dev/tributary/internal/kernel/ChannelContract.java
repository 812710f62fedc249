package dev.tributary.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Batch normalisation, bias and response normalisation, against their definitions or differences of
 * them.
 */
public interface ChannelContract extends BackendContract {
  ChannelGeometry[] CHANNEL_GEOMETRIES = {
    new ChannelGeometry(1, 1, 1),
    new ChannelGeometry(7, 3, 1),
    new ChannelGeometry(2, 5, 9),
    new ChannelGeometry(3, 1, 2050),
    new ChannelGeometry(2500, 33, 1),
    new ChannelGeometry(131, 32, 1),
    new ChannelGeometry(3, 16, 49),
    new ChannelGeometry(4, 2100, 3)
  };

  float EPSILON = 1e-3f;

  @Test
  default void batchNormTraining_wholeAverage_givesBatchStatistics() {
    for (ChannelGeometry g : CHANNEL_GEOMETRIES) {
      checkTraining(g, 1);
    }
  }

  @Test
  default void batchNormTraining_partialAverage_blendsWithOld() {
    checkTraining(new ChannelGeometry(6, 4, 3), 0.25f);
  }

  @Test
  default void batchNormTraining_emptyBatch_givesNaN() {
    ChannelGeometry g = new ChannelGeometry(0, 2, 1);
    try (Tensor two = tensor(DataType.FLOAT, 1, 1);
        Tensor none = BackendContract.empty(DataType.FLOAT);
        Tensor mean = tensor(DataType.FLOAT, 0, 0);
        Tensor variance = tensor(DataType.FLOAT, 0, 0);
        Tensor savedMean = unwritten(DataType.FLOAT, 2);
        Tensor savedVariance = unwritten(DataType.FLOAT, 2)) {
      backend()
          .batchNormTraining(
              g,
              EPSILON,
              1,
              none.storage().address(),
              new Affine(two.storage().address(), two.storage().address()),
              new Moments(none.storage().address(), none.storage().address()),
              none.storage().address(),
              new Moments(mean.storage().address(), variance.storage().address()),
              new Moments(savedMean.storage().address(), savedVariance.storage().address()));
      assertThat(mean.toFloats()).containsExactly(Float.NaN, Float.NaN);
      assertThat(variance.toFloats()).containsExactly(Float.NaN, Float.NaN);
      assertThat(savedMean.toFloats()).containsExactly(0, 0);
      assertThat(savedVariance.toFloats()).containsExactly(0, 0);
    }
  }

  private void checkTraining(ChannelGeometry g, float factor) {
    int channels = (int) g.channels();
    double[] x = Arrays.stream(random(1, g.elements())).map(v -> (float) (3 * v + 10)).toArray();
    double[] scale = random(2, channels);
    double[] offset = random(3, channels);
    double[] oldMean = random(4, channels);
    double[] oldVariance = random(5, channels);
    double[][] batch = statistics(g, x);
    double[] newMean = new double[channels];
    double[] newVariance = new double[channels];
    for (int c = 0; c < channels; c++) {
      double unbiased = batch[1][c] * g.pixels() / Math.max(1, g.pixels() - 1);
      newMean[c] = (1 - factor) * oldMean[c] + factor * batch[0][c];
      newVariance[c] = (1 - factor) * oldVariance[c] + factor * unbiased;
    }
    DataType type = DataType.FLOAT;
    try (Tensor tx = tensor(type, x);
        Tensor ts = tensor(type, scale);
        Tensor to = tensor(type, offset);
        Tensor tm = tensor(type, oldMean);
        Tensor tv = tensor(type, oldVariance);
        Tensor y = unwritten(type, x.length);
        Tensor mean = unwritten(type, channels);
        Tensor variance = unwritten(type, channels);
        Tensor savedMean = unwritten(type, channels);
        Tensor savedVariance = unwritten(type, channels)) {
      backend()
          .batchNormTraining(
              g,
              EPSILON,
              factor,
              tx.storage().address(),
              new Affine(ts.storage().address(), to.storage().address()),
              new Moments(tm.storage().address(), tv.storage().address()),
              y.storage().address(),
              new Moments(mean.storage().address(), variance.storage().address()),
              new Moments(savedMean.storage().address(), savedVariance.storage().address()));
      assertClose("y " + g, y, normalised(g, x, scale, offset, batch));
      assertClose("mean " + g, mean, newMean);
      assertClose("variance " + g, variance, newVariance);
      assertClose("saved mean " + g, savedMean, batch[0]);
      assertClose("saved variance " + g, savedVariance, batch[1]);
      backend()
          .batchNormInference(
              g,
              EPSILON,
              tx.storage().address(),
              new Affine(ts.storage().address(), to.storage().address()),
              new Moments(savedMean.storage().address(), savedVariance.storage().address()),
              y.storage().address());
      assertClose("inference " + g, y, normalised(g, x, scale, offset, batch));
    }
  }

  @Test
  default void batchNormGradient_bothModes_equalsDifferences() {
    for (ChannelGeometry g :
        new ChannelGeometry[] {
          new ChannelGeometry(7, 3, 1),
          new ChannelGeometry(2, 5, 4),
          new ChannelGeometry(25, 16, 1),
          new ChannelGeometry(23, 7, 1),
          new ChannelGeometry(3, 9, 7)
        }) {
      int channels = (int) g.channels();
      double[] x = random(1, g.elements());
      double[] scale = random(2, channels);
      double[] offset = random(3, channels);
      double[] dy = random(4, g.elements());
      double[][] fixed = statistics(g, x);
      for (boolean training : new boolean[] {true, false}) {
        DataType type = DataType.FLOAT;
        try (Tensor tx = tensor(type, x);
            Tensor ts = tensor(type, scale);
            Tensor tdy = tensor(type, dy);
            Tensor mean = tensor(type, fixed[0]);
            Tensor variance = tensor(type, fixed[1]);
            Tensor dx = unwritten(type, x.length);
            Tensor dScale = unwritten(type, channels);
            Tensor dOffset = unwritten(type, channels)) {
          backend()
              .batchNormGradient(
                  g,
                  EPSILON,
                  training,
                  tdy.storage().address(),
                  tx.storage().address(),
                  ts.storage().address(),
                  new Moments(mean.storage().address(), variance.storage().address()),
                  dx.storage().address(),
                  new Affine(dScale.storage().address(), dOffset.storage().address()));
          assertClose(
              "dx training " + training,
              dx,
              differences(
                  x,
                  dy,
                  v -> normalised(g, v, scale, offset, training ? statistics(g, v) : fixed)));
          assertClose(
              "dscale", dScale, differences(scale, dy, v -> normalised(g, x, v, offset, fixed)));
          assertClose(
              "doffset", dOffset, differences(offset, dy, v -> normalised(g, x, scale, v, fixed)));
        }
      }
    }
  }

  @Test
  default void biasAdd_andGradient_equalLoops() {
    ChannelGeometry empty = new ChannelGeometry(0, 3, 2);
    ChannelGeometry[] all = {
      CHANNEL_GEOMETRIES[2], CHANNEL_GEOMETRIES[4], CHANNEL_GEOMETRIES[5], empty
    };
    for (DataType type : REALS) {
      for (ChannelGeometry g : all) {
        double[] value = random(1, g.elements());
        double[] bias = random(2, g.channels());
        double[] wanted = new double[value.length];
        double[] sums = new double[bias.length];
        for (int i = 0; i < value.length; i++) {
          wanted[i] = value[i] + bias[channel(g, i)];
          sums[channel(g, i)] += value[i];
        }
        try (Tensor x = tensor(type, value);
            Tensor b = tensor(type, bias);
            Tensor y = unwritten(type, value.length);
            Tensor db = unwritten(type, bias.length)) {
          backend()
              .biasAdd(
                  type, g, x.storage().address(), b.storage().address(), y.storage().address());
          assertClose("bias " + g, y, wanted);
          backend().biasAddGradient(type, g, x.storage().address(), db.storage().address());
          assertClose("bias gradient " + g, db, sums);
        }
      }
    }
  }

  @Test
  default void localResponseNorm_andGradient_equalDefinition() {
    for (DataType type : REALS) {
      int[][] sizes = {
        {1, 1, 5}, {4, 7, 2}, {3, 5, 0}, {2, 40, 5}, {0, 3, 1}, {9, 16, 2}, {13, 8, 2}, {5, 24, 3}
      };
      for (int[] size : sizes) {
        int channels = size[1];
        int radius = size[2];
        double[] x = random(1, size[0] * channels);
        double[] dy = random(2, x.length);
        ResponseNormGeometry geometry =
            new ResponseNormGeometry(type, size[0], channels, radius, 1.5f, 0.5f, 0.75f);
        double[] wanted = responseNorm(x, channels, radius);
        try (Tensor in = tensor(type, x);
            Tensor tdy = tensor(type, dy);
            Tensor y = unwritten(type, x.length);
            Tensor dx = unwritten(type, x.length)) {
          backend().localResponseNorm(geometry, in.storage().address(), y.storage().address());
          assertClose("lrn", y, wanted);
          backend()
              .localResponseNormGradient(
                  geometry,
                  in.storage().address(),
                  y.storage().address(),
                  tdy.storage().address(),
                  dx.storage().address());
          double[] slopes = differences(x, dy, v -> responseNorm(v, channels, radius));
          double[] got = values(dx);
          for (int i = 0; i < slopes.length; i++) {
            assertThat(got[i]).isCloseTo(slopes[i], within(1e-5));
          }
        }
      }
    }
  }

  private static double[] responseNorm(double[] x, int channels, int radius) {
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      double squares = 0;
      for (int c = Math.max(0, i % channels - radius);
          c <= Math.min(channels - 1, i % channels + radius);
          c++) {
        double v = x[i / channels * channels + c];
        squares += v * v;
      }
      y[i] = x[i] / Math.pow(1.5 + 0.5 * squares, 0.75);
    }
    return y;
  }

  /** The gradient of {@code sum(dy * f(x))} by central differences. */
  private static double[] differences(double[] x, double[] dy, UnaryOperator<double[]> f) {
    double[] slopes = new double[x.length];
    double h = 1e-5;
    for (int i = 0; i < x.length; i++) {
      double[] moved = x.clone();
      moved[i] = x[i] + h;
      double[] up = f.apply(moved);
      moved[i] = x[i] - h;
      double[] down = f.apply(moved);
      for (int j = 0; j < dy.length; j++) {
        slopes[i] += dy[j] * (up[j] - down[j]) / (2 * h);
      }
    }
    return slopes;
  }

  private static double[][] statistics(ChannelGeometry g, double[] x) {
    double[] mean = new double[(int) g.channels()];
    double[] variance = new double[mean.length];
    for (int i = 0; i < x.length; i++) {
      mean[channel(g, i)] += x[i] / g.pixels();
    }
    for (int i = 0; i < x.length; i++) {
      double d = x[i] - mean[channel(g, i)];
      variance[channel(g, i)] += d * d / g.pixels();
    }
    return new double[][] {mean, variance};
  }

  private static double[] normalised(
      ChannelGeometry g, double[] x, double[] scale, double[] offset, double[][] statistics) {
    double[] y = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      int c = channel(g, i);
      y[i] =
          (x[i] - statistics[0][c]) / Math.sqrt(statistics[1][c] + EPSILON) * scale[c] + offset[c];
    }
    return y;
  }

  private static int channel(ChannelGeometry g, int i) {
    return (int) (i / g.inner() % g.channels());
  }
}
