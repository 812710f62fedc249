package dev.tributary.internal.kernel.plain;

import dev.tributary.internal.kernel.ConvGeometry;
import dev.tributary.internal.kernel.Window;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import java.util.stream.LongStream;

/**
 * Convolutions as matrix products over {@link PatchMatrix patches}, a group at a time:
 *
 * <ul>
 *   <li>forward: output pixels x taps of the input, times the filter;
 *   <li>input gradient: for each phase of the strides, input pixels x those output pixels they had
 *       a part in, times the taps that lead there. No two places write to the same element, and no
 *       zeros of a stretched gradient are multiplied;
 *   <li>filter gradient: the forward patches transposed, times the output gradient.
 * </ul>
 */
final class Convolution {
  private final Gemm gemm;

  Convolution(Gemm gemm) {
    this.gemm = gemm;
  }

  void forward(DataType type, ConvGeometry g, long input, long filter, long output) {
    final int size = type.size();
    final int depth = (int) g.filterChannels();
    final long width = g.outChannels() / Math.max(1, g.groups());
    for (long group = 0; group < g.groups(); group++) {
      final DenseMatrix taps =
          DenseMatrix.of(filter + group * width * size, g.outChannels(), size, false);
      final Matrix results = outputs(g, output, size, group, (int) width);
      gemm.multiply(
          type,
          patches(g, input, size, group),
          false,
          taps,
          results,
          outputPixels(g),
          width,
          taps(g) * depth,
          false);
    }
    if (g.inChannels() == 0) {
      Memory.fill(output, g.outputElements() * size, (byte) 0);
    }
  }

  void filterGradient(
      DataType type, ConvGeometry g, long input, long outputGradient, long filterGradient) {
    final int size = type.size();
    final int depth = (int) g.filterChannels();
    final long width = g.outChannels() / Math.max(1, g.groups());
    for (long group = 0; group < g.groups(); group++) {
      final DenseMatrix taps =
          DenseMatrix.of(filterGradient + group * width * size, g.outChannels(), size, false);
      final Matrix gradients = outputs(g, outputGradient, size, group, (int) width);
      gemm.multiply(
          type,
          patches(g, input, size, group),
          true,
          gradients,
          taps,
          taps(g) * depth,
          width,
          outputPixels(g),
          false);
    }
    if (g.inChannels() == 0) {
      Memory.fill(filterGradient, g.filterElements() * size, (byte) 0);
    }
  }

  void inputGradient(
      DataType type, ConvGeometry g, long filter, long outputGradient, long inputGradient) {
    for (long group = 0; group < g.groups(); group++) {
      for (long y = 0; y < Math.min(g.height().stride(), g.height().input()); y++) {
        for (long x = 0; x < Math.min(g.width().stride(), g.width().input()); x++) {
          phaseGradient(type, g, group, y, x, filter, outputGradient, inputGradient);
        }
      }
    }
  }

  /** The gradient of the input pixels (y + i * stride, x + j * stride). */
  private void phaseGradient(
      DataType type,
      ConvGeometry g,
      long group,
      long y,
      long x,
      long filter,
      long outputGradient,
      long inputGradient) {
    final int size = type.size();
    final int depth = (int) g.filterChannels();
    final int width = (int) (g.outChannels() / g.groups());
    final long[] rows = tapsOfPhase(g.height(), y);
    final long[] columns = tapsOfPhase(g.width(), x);
    final int count = rows.length * columns.length;
    final long[] tapY = new long[count];
    final long[] tapX = new long[count];
    final DenseMatrix[] taps = new DenseMatrix[count];
    for (int t = 0; t < count; t++) {
      final long row = rows[t / columns.length];
      final long column = columns[t % columns.length];
      tapY[t] = (y - g.height().start(0) - row * g.height().dilation()) / g.height().stride();
      tapX[t] = (x - g.width().start(0) - column * g.width().dilation()) / g.width().stride();
      final long tap = (row * g.width().size() + column) * depth * g.outChannels() + group * width;
      taps[t] = new DenseMatrix(filter + tap * size, size, g.outChannels() * size);
    }
    final long height = (g.height().input() - y + g.height().stride() - 1) / g.height().stride();
    final long length = (g.width().input() - x + g.width().stride() - 1) / g.width().stride();
    final PatchMatrix gradients =
        new PatchMatrix(
            outputLayout(g, outputGradient, size).fromChannel(group * width),
            height,
            length,
            1,
            1,
            tapY,
            tapX,
            width);
    final PatchMatrix results =
        new PatchMatrix(
            inputLayout(g, inputGradient, size).fromChannel(group * depth),
            height,
            length,
            g.height().stride(),
            g.width().stride(),
            new long[] {y},
            new long[] {x},
            depth);
    gemm.multiply(
        type,
        gradients,
        false,
        new StackedMatrix(taps, width),
        results,
        g.batch() * height * length,
        depth,
        (long) count * width,
        false);
  }

  /**
   * The taps through which inputs at {@code phase} plus a multiple of the stride meet an output.
   */
  private static long[] tapsOfPhase(Window window, long phase) {
    return LongStream.range(0, window.size())
        .filter(
            tap ->
                Math.floorMod(phase + window.before() - tap * window.dilation(), window.stride())
                    == 0)
        .toArray();
  }

  private static PatchMatrix patches(ConvGeometry g, long input, int size, long group) {
    final int count = (int) taps(g);
    final long[] tapY = new long[count];
    final long[] tapX = new long[count];
    for (int t = 0; t < count; t++) {
      tapY[t] = g.height().start(0) + t / g.width().size() * g.height().dilation();
      tapX[t] = g.width().start(0) + t % g.width().size() * g.width().dilation();
    }
    return new PatchMatrix(
        inputLayout(g, input, size).fromChannel(group * g.filterChannels()),
        g.height().output(),
        g.width().output(),
        g.height().stride(),
        g.width().stride(),
        tapY,
        tapX,
        (int) g.filterChannels());
  }

  private static Matrix outputs(ConvGeometry g, long output, int size, long group, int width) {
    return PatchMatrix.pixels(outputLayout(g, output, size).fromChannel(group * width), width);
  }

  private static ImageLayout inputLayout(ConvGeometry g, long input, int size) {
    return ImageLayout.of(
        g.format(), input, g.height().input(), g.width().input(), g.inChannels(), size);
  }

  private static ImageLayout outputLayout(ConvGeometry g, long output, int size) {
    return ImageLayout.of(
        g.format(), output, g.height().output(), g.width().output(), g.outChannels(), size);
  }

  private static long outputPixels(ConvGeometry g) {
    return g.batch() * g.height().output() * g.width().output();
  }

  private static long taps(ConvGeometry g) {
    return g.height().size() * g.width().size();
  }
}
