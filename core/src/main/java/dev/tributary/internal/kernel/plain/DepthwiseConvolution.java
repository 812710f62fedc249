package dev.tributary.internal.kernel.plain;

import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.ChannelGeometry;
import dev.tributary.internal.kernel.ConvGeometry;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.Window;
import java.util.Arrays;

/**
 * Convolutions that filter each channel by itself, a line at a time; the filter is kept whole on
 * the heap.
 */
final class DepthwiseConvolution {
  /**
   * Pieces of the filter gradient, which are added in order: their number must not depend on the
   * threads.
   */
  private static final int PARTS = 8;

  private final ParallelFor parallel;

  DepthwiseConvolution(ParallelFor parallel) {
    this.parallel = parallel;
  }

  void forward(Reals reals, ConvGeometry g, long input, long filter, long output) {
    final double[] taps = reals.vector(filter, g.filterElements());
    final Pixels from = inputs(reals, g, input);
    final Pixels to = outputs(reals, g, output);
    parallel.range(
        g.batch() * g.height().output(),
        1,
        (first, last) -> {
          final double[] in = line(g.width().input(), g.inChannels());
          final double[] out = line(g.width().output(), g.outChannels());
          for (long line = first; line < last; line++) {
            Arrays.fill(out, 0);
            final long image = line / g.height().output() * g.height().input();
            for (int tap = 0; tap < g.height().size(); tap++) {
              final long y =
                  g.height().start(line % g.height().output()) + tap * g.height().dilation();
              if (y >= 0 && y < g.height().input()) {
                from.load((image + y) * g.width().input(), (int) g.width().input(), in);
                forEachTap(g, tap, in, out, taps, DepthwiseConvolution::addForward);
              }
            }
            to.store(out, line * g.width().output(), (int) g.width().output());
          }
        });
  }

  void inputGradient(
      Reals reals, ConvGeometry g, long filter, long outputGradient, long inputGradient) {
    final double[] taps = reals.vector(filter, g.filterElements());
    final Pixels from = outputs(reals, g, outputGradient);
    final Pixels to = inputs(reals, g, inputGradient);
    final Window height = g.height();
    parallel.range(
        g.batch() * height.input(),
        1,
        (first, last) -> {
          final double[] in = line(g.width().input(), g.inChannels());
          final double[] out = line(g.width().output(), g.outChannels());
          for (long line = first; line < last; line++) {
            Arrays.fill(in, 0);
            final long image = line / height.input() * height.output();
            for (int tap = 0; tap < height.size(); tap++) {
              final long place = line % height.input() + height.before() - tap * height.dilation();
              if (place >= 0
                  && place % height.stride() == 0
                  && place / height.stride() < height.output()) {
                from.load(
                    (image + place / height.stride()) * g.width().output(),
                    (int) g.width().output(),
                    out);
                forEachTap(g, tap, in, out, taps, DepthwiseConvolution::addInputGradient);
              }
            }
            to.store(in, line * g.width().input(), (int) g.width().input());
          }
        });
  }

  void filterGradient(
      Reals reals, ConvGeometry g, long input, long outputGradient, long filterGradient) {
    final Pixels from = inputs(reals, g, input);
    final Pixels gradients = outputs(reals, g, outputGradient);
    final long lines = g.batch() * g.height().output();
    final double[][] sums = new double[PARTS][ArrayLength.of(g.filterElements())];
    parallel.run(
        PARTS,
        part -> {
          final double[] in = line(g.width().input(), g.inChannels());
          final double[] out = line(g.width().output(), g.outChannels());
          for (long line = lines * part / PARTS; line < lines * (part + 1) / PARTS; line++) {
            gradients.load(line * g.width().output(), (int) g.width().output(), out);
            final long image = line / g.height().output() * g.height().input();
            for (int tap = 0; tap < g.height().size(); tap++) {
              final long y =
                  g.height().start(line % g.height().output()) + tap * g.height().dilation();
              if (y >= 0 && y < g.height().input()) {
                from.load((image + y) * g.width().input(), (int) g.width().input(), in);
                forEachTap(g, tap, in, out, sums[part], DepthwiseConvolution::addFilterGradient);
              }
            }
          }
        });
    for (int part = 1; part < PARTS; part++) {
      for (int i = 0; i < sums[0].length; i++) {
        sums[0][i] += sums[part][i];
      }
    }
    reals.storeVector(sums[0], filterGradient);
  }

  /** The action for the channels of one input pixel, one output pixel and the tap between them. */
  @FunctionalInterface
  private interface Step {
    void apply(
        double[] in,
        int inAt,
        double[] out,
        int outAt,
        double[] taps,
        int tapAt,
        int channels,
        int multiplier);
  }

  /**
   * All pairs of pixels of an input line and an output line that meet in filter line {@code
   * tapLine}.
   */
  private static void forEachTap(
      ConvGeometry g, int tapLine, double[] in, double[] out, double[] taps, Step step) {
    final Window width = g.width();
    final int channels = (int) g.inChannels();
    final int results = (int) g.outChannels();
    for (int tap = 0; tap < width.size(); tap++) {
      final int tapAt = (int) (tapLine * width.size() + tap) * results;
      for (int j = 0; j < width.output(); j++) {
        final long x = width.start(j) + tap * width.dilation();
        if (x >= 0 && x < width.input()) {
          step.apply(
              in, (int) x * channels, out, j * results, taps, tapAt, channels, results / channels);
        }
      }
    }
  }

  private static void addForward(
      double[] in,
      int inAt,
      double[] out,
      int outAt,
      double[] taps,
      int tapAt,
      int channels,
      int multiplier) {
    if (multiplier == 1) {
      addProducts(out, outAt, in, inAt, taps, tapAt, channels);
      return;
    }
    for (int c = 0; c < channels; c++) {
      for (int m = 0; m < multiplier; m++) {
        out[outAt + c * multiplier + m] += in[inAt + c] * taps[tapAt + c * multiplier + m];
      }
    }
  }

  private static void addInputGradient(
      double[] in,
      int inAt,
      double[] out,
      int outAt,
      double[] taps,
      int tapAt,
      int channels,
      int multiplier) {
    if (multiplier == 1) {
      addProducts(in, inAt, out, outAt, taps, tapAt, channels);
      return;
    }
    for (int c = 0; c < channels; c++) {
      for (int m = 0; m < multiplier; m++) {
        in[inAt + c] += out[outAt + c * multiplier + m] * taps[tapAt + c * multiplier + m];
      }
    }
  }

  private static void addFilterGradient(
      double[] in,
      int inAt,
      double[] out,
      int outAt,
      double[] taps,
      int tapAt,
      int channels,
      int multiplier) {
    if (multiplier == 1) {
      addProducts(taps, tapAt, in, inAt, out, outAt, channels);
      return;
    }
    for (int c = 0; c < channels; c++) {
      for (int m = 0; m < multiplier; m++) {
        taps[tapAt + c * multiplier + m] += in[inAt + c] * out[outAt + c * multiplier + m];
      }
    }
  }

  /** The inner loop of all three when each channel has one filter. */
  private static void addProducts(
      double[] to, int at, double[] a, int atA, double[] b, int atB, int count) {
    for (int c = 0; c < count; c++) {
      to[at + c] += a[atA + c] * b[atB + c];
    }
  }

  private static double[] line(long pixels, long channels) {
    return new double[ArrayLength.of(pixels * channels)];
  }

  private static Pixels inputs(Reals reals, ConvGeometry g, long address) {
    final long pixels = g.height().input() * g.width().input();
    return new Pixels(
        reals, address, ChannelGeometry.of(g.format(), g.batch(), pixels, g.inChannels()));
  }

  private static Pixels outputs(Reals reals, ConvGeometry g, long address) {
    final long pixels = g.height().output() * g.width().output();
    return new Pixels(
        reals, address, ChannelGeometry.of(g.format(), g.batch(), pixels, g.outChannels()));
  }
}
