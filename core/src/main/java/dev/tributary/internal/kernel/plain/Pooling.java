package dev.tributary.internal.kernel.plain;

import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.ChannelGeometry;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.PoolGeometry;
import dev.tributary.internal.kernel.Window;
import dev.tributary.internal.memory.Memory;
import java.util.Arrays;

/** Pooling, a line of the result at a time. */
final class Pooling {
  private final ParallelFor parallel;

  Pooling(ParallelFor parallel) {
    this.parallel = parallel;
  }

  void max(Reals reals, PoolGeometry g, long input, long output) {
    final Pixels from = inputs(reals, g, input);
    final Pixels to = outputs(reals, g, output);
    parallel.range(
        g.batch() * g.height().output(),
        1,
        (first, last) -> {
          final double[] in = line(g.width().input(), g);
          final double[] best = line(g.width().output(), g);
          for (long line = first; line < last; line++) {
            maxLine(reals, g, from, line, in, best, new int[0], false);
            if (hasNaN(best)) {
              maxLine(reals, g, from, line, in, best, new int[0], true);
            }
            to.store(best, line * g.width().output(), (int) g.width().output());
          }
        });
  }

  void maxGradient(
      Reals reals, PoolGeometry g, long input, long outputGradient, long inputGradient) {
    final Pixels from = inputs(reals, g, input);
    final Pixels gradients = outputs(reals, g, outputGradient);
    final Pixels to = inputs(reals, g, inputGradient);
    final long imageBytes = g.inputElements() / Math.max(1, g.batch()) * reals.size();
    final int channels = (int) g.channels();
    final long pixels = g.height().input() * g.width().input();
    // Windows of one image may share an input, so images are the pieces.
    parallel.range(
        g.batch(),
        1,
        (first, last) -> {
          Memory.fill(inputGradient + first * imageBytes, (last - first) * imageBytes, (byte) 0);
          final double[] in = line(g.width().input(), g);
          final double[] best = line(g.width().output(), g);
          final int[] where = new int[best.length];
          for (long line = first * g.height().output(); line < last * g.height().output(); line++) {
            maxLine(reals, g, from, line, in, best, where, false);
            gradients.load(line * g.width().output(), (int) g.width().output(), best);
            final long image = line / g.height().output() * pixels;
            for (int i = 0; i < best.length; i++) {
              if (where[i] >= 0) {
                to.add(image + where[i], i % channels, best[i]);
              }
            }
          }
        });
  }

  void average(Reals reals, PoolGeometry g, long input, long output) {
    final Pixels from = inputs(reals, g, input);
    final Pixels to = outputs(reals, g, output);
    parallel.range(
        g.batch() * g.height().output(),
        1,
        (first, last) -> {
          final double[] in = line(g.width().input(), g);
          final double[] sum = line(g.width().output(), g);
          for (long line = first; line < last; line++) {
            averageLine(g, from, line, in, sum);
            to.store(sum, line * g.width().output(), (int) g.width().output());
          }
        });
  }

  void averageGradient(Reals reals, PoolGeometry g, long outputGradient, long inputGradient) {
    final Pixels gradients = outputs(reals, g, outputGradient);
    final Pixels to = inputs(reals, g, inputGradient);
    parallel.range(
        g.batch() * g.height().input(),
        1,
        (first, last) -> {
          final double[] out = line(g.width().output(), g);
          final double[] sum = line(g.width().input(), g);
          for (long line = first; line < last; line++) {
            averageGradientLine(g, gradients, line, out, sum);
            to.store(sum, line * g.width().input(), (int) g.width().input());
          }
        });
  }

  /**
   * The maxima of an output line, and where they lie in their image (-1 for none) if {@code where}
   * has room for that.
   */
  private static void maxLine(
      Reals reals,
      PoolGeometry g,
      Pixels from,
      long line,
      double[] in,
      double[] best,
      int[] where,
      boolean dropNaN) {
    final Window height = g.height();
    final Window width = g.width();
    final long image = line / height.output();
    final long top = height.start(line % height.output());
    final int channels = (int) g.channels();
    Arrays.fill(best, reals.lowest());
    Arrays.fill(where, -1);
    for (long y = Math.max(0, top); y < Math.min(height.input(), top + height.size()); y++) {
      from.load((image * height.input() + y) * width.input(), (int) width.input(), in);
      if (dropNaN) {
        replaceNaN(in, reals.lowest());
      }
      for (int j = 0; j < width.output(); j++) {
        final int left = (int) Math.max(0, width.start(j));
        final int right = (int) Math.min(width.input(), width.start(j) + width.size());
        for (int x = left; x < right; x++) {
          if (where.length == 0) {
            maxOf(in, x * channels, best, j * channels, channels);
          } else {
            firstMaxOf(
                in,
                x * channels,
                best,
                where,
                j * channels,
                channels,
                (int) (y * width.input() + x));
          }
        }
      }
    }
  }

  // Math.max vectorises but lets NaN win, unlike TensorFlow. Comparisons are 3 times slower on
  // random data.
  private static boolean hasNaN(double[] values) {
    for (double value : values) {
      if (Double.isNaN(value)) {
        return true;
      }
    }
    return false;
  }

  private static void replaceNaN(double[] values, double by) {
    for (int i = 0; i < values.length; i++) {
      values[i] = Double.isNaN(values[i]) ? by : values[i];
    }
  }

  private static void maxOf(double[] in, int from, double[] best, int to, int channels) {
    for (int c = 0; c < channels; c++) {
      best[to + c] = Math.max(best[to + c], in[from + c]);
    }
  }

  private static void firstMaxOf(
      double[] in, int from, double[] best, int[] where, int to, int channels, int pixel) {
    for (int c = 0; c < channels; c++) {
      final double value = in[from + c];
      if (value > best[to + c] || where[to + c] < 0) {
        best[to + c] = value;
        where[to + c] = pixel;
      }
    }
  }

  private static void averageLine(
      PoolGeometry g, Pixels from, long line, double[] in, double[] sum) {
    final Window height = g.height();
    final Window width = g.width();
    final int channels = (int) g.channels();
    final long image = line / height.output();
    final long top = Math.max(0, height.start(line % height.output()));
    final long bottom =
        Math.min(height.input(), height.start(line % height.output()) + height.size());
    Arrays.fill(sum, 0);
    for (long y = top; y < bottom; y++) {
      from.load((image * height.input() + y) * width.input(), (int) width.input(), in);
      for (int j = 0; j < width.output(); j++) {
        final int left = (int) Math.max(0, width.start(j));
        final int right = (int) Math.min(width.input(), width.start(j) + width.size());
        final double scale = 1.0 / ((bottom - top) * (right - left));
        for (int x = left; x < right; x++) {
          addScaled(in, x * channels, sum, j * channels, channels, scale);
        }
      }
    }
  }

  private static void averageGradientLine(
      PoolGeometry g, Pixels from, long line, double[] out, double[] sum) {
    final Window height = g.height();
    final Window width = g.width();
    final int channels = (int) g.channels();
    final long image = line / height.input();
    final long y = line % height.input();
    Arrays.fill(sum, 0);
    final long firstWindow =
        Math.max(0, Math.floorDiv(y + height.before() - height.size(), height.stride()) + 1);
    final long lastWindow = Math.min(height.output() - 1, (y + height.before()) / height.stride());
    for (long i = firstWindow; i <= lastWindow; i++) {
      final long top = Math.max(0, height.start(i));
      final long bottom = Math.min(height.input(), height.start(i) + height.size());
      from.load((image * height.output() + i) * width.output(), (int) width.output(), out);
      for (int j = 0; j < width.output(); j++) {
        final int left = (int) Math.max(0, width.start(j));
        final int right = (int) Math.min(width.input(), width.start(j) + width.size());
        final double scale = 1.0 / ((bottom - top) * (right - left));
        for (int x = left; x < right; x++) {
          addScaled(out, j * channels, sum, x * channels, channels, scale);
        }
      }
    }
  }

  private static void addScaled(
      double[] in, int from, double[] sum, int to, int channels, double scale) {
    for (int c = 0; c < channels; c++) {
      sum[to + c] += scale * in[from + c];
    }
  }

  private static double[] line(long pixels, PoolGeometry g) {
    return new double[ArrayLength.of(pixels * g.channels())];
  }

  private static Pixels inputs(Reals reals, PoolGeometry g, long address) {
    final long pixels = g.height().input() * g.width().input();
    return new Pixels(
        reals, address, ChannelGeometry.of(g.format(), g.batch(), pixels, g.channels()));
  }

  private static Pixels outputs(Reals reals, PoolGeometry g, long address) {
    final long pixels = g.height().output() * g.width().output();
    return new Pixels(
        reals, address, ChannelGeometry.of(g.format(), g.batch(), pixels, g.channels()));
  }
}
