package dev.tributary.internal.kernel.plain;

import dev.tributary.internal.kernel.Affine;
import dev.tributary.internal.kernel.ChannelGeometry;
import dev.tributary.internal.kernel.Moments;
import dev.tributary.internal.kernel.ParallelFor;
import java.util.Arrays;

/** Fused batch normalisation of floats, with statistics in double. */
final class BatchNorm {
  private static final long GRAIN = 16384;
  private static final Reals REALS = Reals.FLOAT;

  private final ParallelFor parallel;

  BatchNorm(ParallelFor parallel) {
    this.parallel = parallel;
  }

  /** Mean and biased variance of each channel. */
  private record Statistics(double[] mean, double[] variance) {
    static Statistics read(Moments from, long channels) {
      return new Statistics(
          REALS.vector(from.mean(), channels), REALS.vector(from.variance(), channels));
    }

    void write(Moments to) {
      REALS.storeVector(mean, to.mean());
      REALS.storeVector(variance, to.variance());
    }

    double[] inverseDeviation(double epsilon) {
      final double[] inverse = new double[variance.length];
      for (int c = 0; c < inverse.length; c++) {
        inverse[c] = 1 / Math.sqrt(variance[c] + epsilon);
      }
      return inverse;
    }
  }

  void training(
      ChannelGeometry g,
      float epsilon,
      float factor,
      long x,
      Affine affine,
      Moments old,
      long y,
      Moments updated,
      Moments saved) {
    final int channels = (int) g.channels();
    if (g.pixels() == 0) {
      new Statistics(new double[channels], new double[channels]).write(saved);
      final double[] nan = new double[channels];
      Arrays.fill(nan, Double.NaN);
      new Statistics(nan, nan).write(updated);
      return;
    }
    final Statistics batch = statistics(g, x);
    batch.write(saved);
    normalise(g, epsilon, x, affine, batch, y);
    final double bessel = (double) g.pixels() / Math.max(1, g.pixels() - 1);
    final double[] mean = batch.mean.clone();
    final double[] variance = batch.variance.clone();
    for (int c = 0; c < channels; c++) {
      variance[c] *= bessel;
    }
    if (factor != 1) {
      blend(mean, REALS.vector(old.mean(), channels), factor);
      blend(variance, REALS.vector(old.variance(), channels), factor);
    }
    new Statistics(mean, variance).write(updated);
  }

  void inference(ChannelGeometry g, float epsilon, long x, Affine affine, Moments moments, long y) {
    normalise(g, epsilon, x, affine, Statistics.read(moments, g.channels()), y);
  }

  void gradient(
      ChannelGeometry g,
      float epsilon,
      boolean training,
      long yGradient,
      long x,
      long scale,
      Moments moments,
      long xGradient,
      Affine affineGradient) {
    final int channels = (int) g.channels();
    final Statistics statistics = Statistics.read(moments, channels);
    final double[] inverse = statistics.inverseDeviation(epsilon);
    final double[] center = statistics.mean;
    final double[] sums = gradientSums(g, yGradient, x, center);
    final double[] offsets = Arrays.copyOf(sums, channels);
    final double[] scales = Arrays.copyOfRange(sums, channels, 2 * channels);
    final double[] gain = REALS.vector(scale, channels);
    // In training, what the statistics owe to x is taken off: the mean of dy, and the part of dy
    // along x.
    final double[] shift = new double[channels];
    final double[] slope = new double[channels];
    for (int c = 0; c < channels; c++) {
      if (training) {
        shift[c] = offsets[c] / g.pixels();
        slope[c] = scales[c] * inverse[c] * inverse[c] / g.pixels();
      }
      gain[c] *= inverse[c];
      scales[c] *= inverse[c];
    }
    REALS.storeVector(offsets, affineGradient.offset());
    REALS.storeVector(scales, affineGradient.scale());
    final Pixels gradients = new Pixels(REALS, yGradient, g);
    final Pixels inputs = new Pixels(REALS, x, g);
    final Pixels to = new Pixels(REALS, xGradient, g);
    blocks(
        g,
        (pixel, count, values, others) -> {
          gradients.load(pixel, count, values);
          inputs.load(pixel, count, others);
          for (int p = 0; p < count * channels; p += channels) {
            for (int c = 0; c < channels; c++) {
              values[p + c] =
                  gain[c] * (values[p + c] - shift[c] - (others[p + c] - center[c]) * slope[c]);
            }
          }
          to.store(values, pixel, count);
        });
  }

  private Statistics statistics(ChannelGeometry g, long x) {
    final int channels = (int) g.channels();
    final Pixels from = new Pixels(REALS, x, g);
    final double[] mean = sums(g, from, new double[channels], false);
    divide(mean, g.pixels());
    // A second pass around the mean: sums of squares alone lose all digits when the mean is large.
    final double[] variance = sums(g, from, mean, true);
    divide(variance, g.pixels());
    return new Statistics(mean, variance);
  }

  private double[] sums(ChannelGeometry g, Pixels from, double[] center, boolean square) {
    final int channels = (int) g.channels();
    final double[] totals =
        ChannelSums.of(
            parallel,
            g,
            channels,
            () -> {
              final double[] values = Scratch.doubles(0, Pixels.block(channels) * channels);
              return (pixel, count, sums, at) -> {
                from.load(pixel, count, values);
                for (int p = 0; p < count * channels; p += channels) {
                  for (int c = 0; c < channels; c++) {
                    final double value = values[p + c] - center[c];
                    sums[at + c] += square ? value * value : value;
                  }
                }
              };
            });
    return Arrays.copyOf(totals, channels);
  }

  /** The sums of dy, and behind them those of dy * (x - mean). */
  private double[] gradientSums(ChannelGeometry g, long yGradient, long x, double[] center) {
    final int channels = (int) g.channels();
    final Pixels gradients = new Pixels(REALS, yGradient, g);
    final Pixels inputs = new Pixels(REALS, x, g);
    final double[] totals =
        ChannelSums.of(
            parallel,
            g,
            2 * channels,
            () -> {
              final double[] values = Scratch.doubles(0, Pixels.block(channels) * channels);
              final double[] others = Scratch.doubles(1, values.length);
              return (pixel, count, sums, at) -> {
                gradients.load(pixel, count, values);
                inputs.load(pixel, count, others);
                for (int p = 0; p < count * channels; p += channels) {
                  for (int c = 0; c < channels; c++) {
                    sums[at + c] += values[p + c];
                    sums[at + channels + c] += values[p + c] * (others[p + c] - center[c]);
                  }
                }
              };
            });
    return Arrays.copyOf(totals, 2 * channels);
  }

  private void normalise(
      ChannelGeometry g, float epsilon, long x, Affine affine, Statistics statistics, long y) {
    final int channels = (int) g.channels();
    final double[] gain = statistics.inverseDeviation(epsilon);
    final double[] scales = REALS.vector(affine.scale(), channels);
    final double[] offsets = REALS.vector(affine.offset(), channels);
    final double[] center = statistics.mean;
    for (int c = 0; c < channels; c++) {
      gain[c] *= scales[c];
    }
    final Pixels from = new Pixels(REALS, x, g);
    final Pixels to = new Pixels(REALS, y, g);
    blocks(
        g,
        (pixel, count, values, others) -> {
          from.load(pixel, count, values);
          for (int p = 0; p < count * channels; p += channels) {
            for (int c = 0; c < channels; c++) {
              values[p + c] = (values[p + c] - center[c]) * gain[c] + offsets[c];
            }
          }
          to.store(values, pixel, count);
        });
  }

  /** Work on a block of pixels, with room for two of them. */
  @FunctionalInterface
  private interface BlockWork {
    void accept(long pixel, int count, double[] values, double[] others);
  }

  private void blocks(ChannelGeometry g, BlockWork work) {
    final int step = Pixels.block(g.channels());
    final int length = step * (int) g.channels();
    parallel.range(
        g.pixels(),
        Math.max(1, GRAIN / Math.max(1, g.channels())),
        (from, to) -> {
          final double[] values = Scratch.doubles(0, length);
          final double[] others = Scratch.doubles(1, length);
          for (long pixel = from; pixel < to; pixel += step) {
            work.accept(pixel, (int) Math.min(step, to - pixel), values, others);
          }
        });
  }

  private static void blend(double[] batch, double[] old, double factor) {
    for (int c = 0; c < batch.length; c++) {
      batch[c] = (1 - factor) * old[c] + factor * batch[c];
    }
  }

  private static void divide(double[] sums, double by) {
    for (int c = 0; c < sums.length; c++) {
      sums[c] /= by;
    }
  }
}
