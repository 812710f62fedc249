package dev.tributary.internal.kernel;

import dev.tributary.error.TributaryException;

/**
 * A window that slides along one dimension of an image, with TensorFlow's rules for padding and
 * output size. Make one with {@link #of}; sizes which are not known yet are -1, and then so is what
 * follows from them.
 *
 * @param input the image's size in this dimension
 * @param size the number of taps of the window
 * @param stride how far the window moves between outputs
 * @param dilation the distance of two neighbouring taps
 * @param before padding in front of the image
 * @param after padding behind the image; what the last window does not reach of it has no effect
 * @param output the number of window positions
 */
public record Window(
    long input, long size, long stride, long dilation, long before, long after, long output) {
  private static final long UNKNOWN = -1;

  /** The window for {@code padding} SAME or VALID. */
  public static Window of(String padding, long input, long size, long stride, long dilation) {
    return of(padding, input, size, stride, dilation, 0, 0);
  }

  /**
   * The window for {@code padding} SAME, VALID or EXPLICIT; only the last one takes {@code before}
   * and {@code after}.
   */
  public static Window of(
      String padding, long input, long size, long stride, long dilation, long before, long after) {
    check(input, size, stride, dilation);
    switch (padding) {
      case "SAME":
        noExplicit(padding, before, after);
        return same(input, size, stride, dilation);
      case "VALID":
        noExplicit(padding, before, after);
        return explicit(input, size, stride, dilation, 0, 0);
      case "EXPLICIT":
        if (before < 0 || after < 0) {
          throw TributaryException.invalidArgument(
              "explicit padding must not be negative, got %d and %d", before, after);
        }
        return explicit(input, size, stride, dilation, before, after);
      default:
        throw TributaryException.invalidArgument(
            "padding must be SAME, VALID or EXPLICIT, got '%s'", padding);
    }
  }

  /** Returns whether all sizes are known. */
  public boolean isKnown() {
    return input != UNKNOWN && size != UNKNOWN;
  }

  /**
   * Returns where the first tap of output {@code i} lies in the image; it may lie in the padding.
   */
  public long start(long i) {
    return i * stride - before;
  }

  private static Window same(long input, long size, long stride, long dilation) {
    if (input == UNKNOWN) {
      return new Window(input, size, stride, dilation, 0, 0, UNKNOWN);
    }
    long output = (input + stride - 1) / stride;
    long padding =
        size == UNKNOWN ? 0 : Math.max(0, (output - 1) * stride + reach(size, dilation) - input);
    return new Window(input, size, stride, dilation, padding / 2, padding - padding / 2, output);
  }

  private static Window explicit(
      long input, long size, long stride, long dilation, long before, long after) {
    if (input == UNKNOWN || size == UNKNOWN) {
      return new Window(input, size, stride, dilation, before, after, UNKNOWN);
    }
    // Truncation towards zero, as in TensorFlow: a window too large by less than a stride gives no
    // output but no error.
    long output = (input + before + after - reach(size, dilation) + stride) / stride;
    if (output < 0) {
      throw TributaryException.invalidArgument(
          "a window of %d taps (dilation %d, stride %d) does not fit into size %d with padding %d"
              + " and %d",
          size, dilation, stride, input, before, after);
    }
    return new Window(input, size, stride, dilation, before, after, output);
  }

  private static long reach(long size, long dilation) {
    return (size - 1) * dilation + 1;
  }

  private static void noExplicit(String padding, long before, long after) {
    if (before != 0 || after != 0) {
      throw TributaryException.invalidArgument(
          "explicit padding %d and %d needs padding EXPLICIT, got %s", before, after, padding);
    }
  }

  private static void check(long input, long size, long stride, long dilation) {
    if (input < UNKNOWN || size < UNKNOWN || size == 0) {
      throw TributaryException.invalidArgument(
          "image size and window size must be positive, got %d and %d", input, size);
    }
    if (stride <= 0 || dilation <= 0) {
      throw TributaryException.invalidArgument(
          "stride and dilation must be positive, got %d and %d", stride, dilation);
    }
  }
}
