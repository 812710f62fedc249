package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * The magnitudes of the frequencies in overlapping slices of a sound, as the graphs of speech
 * models compute them: a slice is tapered by a Hann window and padded with zeros to a power of two.
 * Input: a row for each moment, with a column for each channel. Output: channels, slices,
 * frequencies.
 */
public final class SpectrogramKernel implements Kernel {
  private static final int LONGEST_WINDOW = 1 << 24;

  private final int windowSize;
  private final int stride;
  private final boolean squared;
  private final double[] window;
  private final FourierTransform transform;

  public SpectrogramKernel(KernelNode node) {
    windowSize = node.attributes().int32("window_size");
    stride = node.attributes().int32("stride");
    squared = node.attributes().bool("magnitude_squared");
    requireWindow(windowSize, stride);
    window = new double[windowSize];
    for (int i = 0; i < windowSize; i++) {
      window[i] = 0.5 - 0.5 * Math.cos(2 * Math.PI * i / windowSize);
    }
    transform = FourierTransform.of(transformLength(windowSize));
  }

  public static void requireWindow(int windowSize, int stride) {
    if (windowSize < 2 || windowSize > LONGEST_WINDOW || stride < 1) {
      throw TributaryException.invalidArgument(
          "window_size must be from 2 to %d and stride at least 1, got %d and %d",
          LONGEST_WINDOW, windowSize, stride);
    }
  }

  /** The number of frequencies of a slice. */
  public static int frequencies(int windowSize) {
    return 1 + transformLength(windowSize) / 2;
  }

  /** The number of slices of so many moments. */
  public static long slices(long moments, int windowSize, int stride) {
    return moments < windowSize ? 0 : 1 + (moments - windowSize) / stride;
  }

  private static int transformLength(int windowSize) {
    int highest = Integer.highestOneBit(windowSize);
    return highest == windowSize ? highest : 2 * highest;
  }

  @Override
  public void compute(KernelContext context) {
    Tensor input = context.input(0);
    if (input.rank() != 2) {
      throw TributaryException.invalidArgument(
          "input must be 2-dimensional, got %s", input.shape());
    }
    int channels = ArrayLength.of(input.shape().size(1));
    long slices = slices(input.shape().size(0), windowSize, stride);
    int frequencies = frequencies(windowSize);
    Tensor output = context.allocateOutput(0, Shape.of(channels, slices, frequencies));
    double[] data = new double[2 * transform.length()];
    double[] scratch = new double[transform.scratchLength()];
    long to = output.storage().address();
    for (int channel = 0; channel < channels; channel++) {
      for (long slice = 0; slice < slices; slice++) {
        long from = input.storage().address() + Float.BYTES * (slice * stride * channels + channel);
        load(data, from, channels);
        transform.run(data, scratch, false);
        for (int i = 0; i < frequencies; i++) {
          Memory.putFloat(to, magnitude(data[2 * i], data[2 * i + 1]));
          to += Float.BYTES;
        }
      }
    }
  }

  private void load(double[] data, long from, int channels) {
    Arrays.fill(data, 0);
    for (int i = 0; i < windowSize; i++) {
      data[2 * i] = window[i] * Memory.getFloat(from + (long) Float.BYTES * i * channels);
    }
  }

  private float magnitude(double real, double imaginary) {
    float square = (float) (real * real + imaginary * imaginary);
    return squared ? square : (float) Math.sqrt(square);
  }
}
