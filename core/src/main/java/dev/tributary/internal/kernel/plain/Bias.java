package dev.tributary.internal.kernel.plain;

import dev.tributary.internal.kernel.ChannelGeometry;
import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.kernel.ParallelFor;
import java.util.Arrays;

/**
 * A number for each channel, added to all its elements, with an activation behind it if wanted; and
 * the sums that are its gradient.
 */
final class Bias {
  private static final long GRAIN = 16384;

  private final ParallelFor parallel;

  Bias(ParallelFor parallel) {
    this.parallel = parallel;
  }

  void add(Reals reals, ChannelGeometry g, long value, long bias, long output) {
    finish(reals, g, Epilogue.BIAS, value, bias, output);
  }

  /** The epilogue of what lies at {@code value}, in place. */
  void finish(Reals reals, ChannelGeometry g, Epilogue epilogue, long bias, long value) {
    if (!epilogue.isNone()) {
      finish(reals, g, epilogue, value, bias, value);
    }
  }

  private void finish(
      Reals reals, ChannelGeometry g, Epilogue epilogue, long value, long bias, long output) {
    final int channels = (int) g.channels();
    final double[] biases = Scratch.doubles(Scratch.CALL, channels);
    if (epilogue.bias()) {
      reals.load(bias, reals.size(), channels, biases, 0, 1);
    } else {
      Arrays.fill(biases, 0, channels, 0);
    }
    final Pixels from = new Pixels(reals, value, g);
    final Pixels to = new Pixels(reals, output, g);
    final int step = Pixels.block(channels);
    parallel.range(
        g.pixels(),
        Math.max(1, GRAIN / Math.max(1, channels)),
        (first, last) -> {
          final double[] values = Scratch.doubles(0, step * channels);
          for (long pixel = first; pixel < last; pixel += step) {
            final int count = (int) Math.min(step, last - pixel);
            from.load(pixel, count, values);
            for (int p = 0; p < count * channels; p += channels) {
              for (int c = 0; c < channels; c++) {
                values[p + c] += biases[c];
              }
            }
            epilogue.activation().apply(values, count * channels);
            to.store(values, pixel, count);
          }
        });
  }

  void gradient(Reals reals, ChannelGeometry g, long outputGradient, long biasGradient) {
    final int channels = (int) g.channels();
    final Pixels from = new Pixels(reals, outputGradient, g);
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
                    sums[at + c] += values[p + c];
                  }
                }
              };
            });
    reals.store(totals, 0, 1, channels, biasGradient, reals.size());
  }
}
