package dev.tributary.internal.kernel.math;

import java.util.Arrays;

/**
 * The discrete Fourier transform of one length, in doubles. A length whose prime factors are small
 * is taken apart by them (Stockham's self-sorting scheme); another is computed as a convolution of
 * a length that is a power of two (Bluestein). Immutable: callers bring their own arrays.
 *
 * <p>Arrays hold the real and the imaginary part of each element in turn.
 */
final class FourierTransform {
  /** A step by a prime factor costs its square, so that Bluestein wins beyond this one. */
  private static final int GREATEST_FACTOR = 13;

  private final int length;
  private final int[] factors;

  /** The powers of the first root of unity, exp(-2 pi i k / length). */
  private final double[] roots;

  /** The convolution that computes a length with a great prime factor; null for the others. */
  private final Convolution convolution;

  private FourierTransform(int length, int[] factors) {
    this.length = length;
    this.factors = factors;
    this.roots = unitRoots(length, length);
    this.convolution = factors.length == 0 && length > 1 ? new Convolution(length) : null;
  }

  static FourierTransform of(int length) {
    return new FourierTransform(length, smallFactors(length));
  }

  int length() {
    return length;
  }

  /** Returns how many doubles {@link #run} needs to work with. */
  int scratchLength() {
    return convolution == null ? 2 * length : convolution.scratchLength();
  }

  /** Transforms the first {@code length} elements of {@code data} in place, without scaling. */
  void run(double[] data, double[] scratch, boolean inverse) {
    if (inverse) {
      conjugate(data, length);
    }
    if (convolution != null) {
      convolution.run(data, scratch);
    } else {
      runFactors(data, scratch);
    }
    if (inverse) {
      conjugate(data, length);
    }
  }

  private void runFactors(double[] data, double[] scratch) {
    double[] from = data;
    double[] to = scratch;
    int rest = length;
    int stride = 1;
    for (int factor : factors) {
      rest /= factor;
      switch (factor) {
        case 2 -> halve(from, to, rest, stride);
        case 4 -> quarter(from, to, rest, stride);
        default -> split(from, to, factor, rest, stride);
      }
      stride *= factor;
      double[] last = from;
      from = to;
      to = last;
    }
    if (from != data) {
      System.arraycopy(from, 0, data, 0, 2 * length);
    }
  }

  /** One step by the factor 2: {@code rest} pairs of runs of {@code stride} elements. */
  private void halve(double[] x, double[] y, int rest, int stride) {
    int apart = 2 * stride * rest;
    for (int j = 0; j < rest; j++) {
      double rootRe = roots[2 * j * stride];
      double rootIm = roots[2 * j * stride + 1];
      int in = 2 * stride * j;
      int out = 2 * in;
      for (int q = 0; q < 2 * stride; q += 2) {
        double re = x[in + q] - x[in + q + apart];
        double im = x[in + q + 1] - x[in + q + apart + 1];
        y[out + q] = x[in + q] + x[in + q + apart];
        y[out + q + 1] = x[in + q + 1] + x[in + q + apart + 1];
        y[out + q + 2 * stride] = re * rootRe - im * rootIm;
        y[out + q + 2 * stride + 1] = re * rootIm + im * rootRe;
      }
    }
  }

  /** One step by the factor 4, whose roots of unity need no multiplication. */
  private void quarter(double[] x, double[] y, int rest, int stride) {
    int apart = 2 * stride * rest;
    for (int j = 0; j < rest; j++) {
      int first = 2 * j * stride;
      double re1 = roots[first];
      double im1 = roots[first + 1];
      double re2 = roots[2 * first];
      double im2 = roots[2 * first + 1];
      double re3 = roots[3 * first];
      double im3 = roots[3 * first + 1];
      for (int q = 0; q < 2 * stride; q += 2) {
        int a = first + q;
        int b = a + apart;
        int c = b + apart;
        int d = c + apart;
        double evenRe = x[a] + x[c];
        double evenIm = x[a + 1] + x[c + 1];
        double evenGapRe = x[a] - x[c];
        double evenGapIm = x[a + 1] - x[c + 1];
        double oddRe = x[b] + x[d];
        double oddIm = x[b + 1] + x[d + 1];
        double oddGapRe = x[b] - x[d];
        double oddGapIm = x[b + 1] - x[d + 1];
        int out = 4 * first + q;
        y[out] = evenRe + oddRe;
        y[out + 1] = evenIm + oddIm;
        put(y, out + 2 * stride, evenGapRe + oddGapIm, evenGapIm - oddGapRe, re1, im1);
        put(y, out + 4 * stride, evenRe - oddRe, evenIm - oddIm, re2, im2);
        put(y, out + 6 * stride, evenGapRe - oddGapIm, evenGapIm + oddGapRe, re3, im3);
      }
    }
  }

  /** One step by any factor. */
  private void split(double[] x, double[] y, int factor, int rest, int stride) {
    int turn = length / factor;
    for (int j = 0; j < rest; j++) {
      for (int k = 0; k < factor; k++) {
        double rootRe = roots[2 * j * k * stride];
        double rootIm = roots[2 * j * k * stride + 1];
        for (int q = 0; q < stride; q++) {
          double re = 0;
          double im = 0;
          for (int r = 0; r < factor; r++) {
            int at = 2 * (q + stride * (j + rest * r));
            int root = 2 * (r * k % factor * turn);
            re += x[at] * roots[root] - x[at + 1] * roots[root + 1];
            im += x[at] * roots[root + 1] + x[at + 1] * roots[root];
          }
          put(y, 2 * (q + stride * (factor * j + k)), re, im, rootRe, rootIm);
        }
      }
    }
  }

  /** Puts the product of two numbers. */
  private static void put(double[] y, int at, double re, double im, double re2, double im2) {
    y[at] = re * re2 - im * im2;
    y[at + 1] = re * im2 + im * re2;
  }

  private static void conjugate(double[] data, int count) {
    for (int i = 1; i < 2 * count; i += 2) {
      data[i] = -data[i];
    }
  }

  /** The first {@code count} powers of exp(-2 pi i / order). */
  private static double[] unitRoots(int order, int count) {
    double[] roots = new double[2 * count];
    for (int k = 0; k < count; k++) {
      double angle = -2 * Math.PI * k / order;
      roots[2 * k] = Math.cos(angle);
      roots[2 * k + 1] = Math.sin(angle);
    }
    return roots;
  }

  /** Factors with fours in place of twos where that goes; none if one is too great. */
  private static int[] smallFactors(int length) {
    int[] found = new int[Integer.SIZE];
    int count = 0;
    int rest = length;
    for (int factor : new int[] {4, 2, 3, 5, 7, 11, GREATEST_FACTOR}) {
      for (; rest % factor == 0 && rest > 1; rest /= factor) {
        found[count++] = factor;
      }
    }
    return rest > 1 ? new int[0] : Arrays.copyOf(found, count);
  }

  /**
   * Bluestein's transform: with jk = (j^2 + k^2 - (k - j)^2) / 2 the sum over j becomes a
   * convolution with a chirp, which transforms of a longer, convenient length compute.
   */
  private static final class Convolution {
    private final int length;
    private final FourierTransform wide;

    /** The numbers exp(-pi i k^2 / length). */
    private final double[] chirp;

    /** The transform of the chirp's conjugate, divided by the wide length. */
    private final double[] response;

    Convolution(int length) {
      this.length = length;
      this.wide = FourierTransform.of(Integer.highestOneBit(2 * length - 1) << 1);
      double[] halfTurns = unitRoots(2 * length, 2 * length);
      this.chirp = new double[2 * length];
      this.response = new double[2 * wide.length];
      for (int k = 0; k < length; k++) {
        int square = (int) ((long) k * k % (2L * length));
        double re = halfTurns[2 * square];
        double im = halfTurns[2 * square + 1];
        chirp[2 * k] = re;
        chirp[2 * k + 1] = im;
        for (int place : new int[] {k, (wide.length - k) % wide.length}) {
          response[2 * place] = re / wide.length;
          response[2 * place + 1] = -im / wide.length;
        }
      }
      wide.run(response, new double[2 * wide.length], false);
    }

    int scratchLength() {
      return 2 * wide.length;
    }

    void run(double[] data, double[] scratch) {
      double[] product = new double[2 * wide.length];
      for (int i = 0; i < 2 * length; i += 2) {
        put(product, i, data[i], data[i + 1], chirp[i], chirp[i + 1]);
      }
      wide.run(product, scratch, false);
      for (int i = 0; i < 2 * wide.length; i += 2) {
        put(product, i, product[i], product[i + 1], response[i], response[i + 1]);
      }
      wide.run(product, scratch, true);
      for (int i = 0; i < 2 * length; i += 2) {
        put(data, i, product[i], product[i + 1], chirp[i], chirp[i + 1]);
      }
    }
  }
}
