package dev.tributary.internal.kernel.plain;

import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.ResponseNormGeometry;
import java.util.Arrays;

/** Local response normalisation across channels, a pixel at a time. */
record ResponseNorm(ParallelFor parallel, ResponseNormGeometry geometry) {
  private static final long GRAIN = 4096;

  void forward(long input, long output) {
    final Reals reals = Reals.of(geometry.type());
    final long channels = geometry.channels();
    final int length = ArrayLength.of(channels);
    parallel.range(
        geometry.pixels(),
        Math.max(1, GRAIN / Math.max(1, channels)),
        (from, to) -> {
          final double[] in = new double[length];
          final double[] norm = new double[length];
          for (long pixel = from; pixel < to; pixel++) {
            final long at = pixel * channels * reals.size();
            reals.load(input + at, reals.size(), length, in, 0, 1);
            norms(in, norm);
            for (int c = 0; c < length; c++) {
              in[c] *= Math.pow(norm[c], -geometry.beta());
            }
            reals.storeVector(in, output + at);
          }
        });
  }

  void gradient(long input, long output, long outputGradient, long inputGradient) {
    final Reals reals = Reals.of(geometry.type());
    final double alpha = geometry.alpha();
    final double beta = geometry.beta();
    final long channels = geometry.channels();
    final int length = ArrayLength.of(channels);
    parallel.range(
        geometry.pixels(),
        Math.max(1, GRAIN / Math.max(1, channels)),
        (from, to) -> {
          final double[] in = new double[length];
          final double[] norm = new double[length];
          final double[] sum = new double[length];
          for (long pixel = from; pixel < to; pixel++) {
            final long start = pixel * channels * reals.size();
            reals.load(input + start, reals.size(), length, in, 0, 1);
            norms(in, norm);
            Arrays.fill(sum, 0);
            for (int c = 0; c < length; c++) {
              final long at = start + (long) c * reals.size();
              final double dy = reals.get(outputGradient + at);
              sum[c] += dy * Math.pow(norm[c], -beta);
              final double factor = -2 * alpha * beta * dy * reals.get(output + at) / norm[c];
              for (int near = first(c); near < end(c, length); near++) {
                sum[near] += factor * in[near];
              }
            }
            reals.storeVector(sum, inputGradient + start);
          }
        });
  }

  private void norms(double[] in, double[] norm) {
    for (int c = 0; c < in.length; c++) {
      double squares = 0;
      for (int near = first(c); near < end(c, in.length); near++) {
        squares += in[near] * in[near];
      }
      norm[c] = geometry.bias() + (double) geometry.alpha() * squares;
    }
  }

  private int first(int channel) {
    return Math.max(0, channel - geometry.radius());
  }

  private int end(int channel, int channels) {
    return (int) Math.min(channels, (long) channel + geometry.radius() + 1);
  }
}
