package dev.tributary.internal.kernel.random;

import dev.tributary.internal.kernel.math.SpecialFunctions;

/**
 * The Poisson distribution: for small rates by products of uniform numbers (Knuth), for others by
 * W. Hörmann, "The transformed rejection method for generating Poisson random variables" (1993).
 */
public final class Poisson {
  /** From this rate on, rejection takes fewer uniform numbers. */
  private static final double LARGE = 10;

  private Poisson() {}

  public static Sampler of(double rate) {
    if (Double.isInfinite(rate)) {
      return new Sampler(Sampler.REGION, stream -> rate);
    }
    return new Sampler(
        Sampler.REGION, stream -> rate < LARGE ? count(rate, stream) : reject(rate, stream));
  }

  private static double count(double rate, Philox stream) {
    BufferedSamples uniform = BufferedSamples.doubles(stream);
    double limit = Math.exp(-rate);
    int count = 0;
    for (double product = uniform.nextDouble(); product > limit; product *= uniform.nextDouble()) {
      count++;
    }
    return count;
  }

  private static double reject(double rate, Philox stream) {
    BufferedSamples uniform = BufferedSamples.doubles(stream);
    double b = 0.931 + 2.53 * Math.sqrt(rate);
    double a = -0.059 + 0.02483 * b;
    double inverseAlpha = 1.1239 + 1.1328 / (b - 3.4);
    while (true) {
      double u = uniform.nextDouble() - 0.5;
      double v = uniform.nextDouble();
      double distance = 0.5 - Math.abs(u);
      double k = Math.floor((2 * a / distance + b) * u + rate + 0.43);
      if (distance >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2)) {
        return k;
      }
      if (k < 0 || distance < 0.013 && v > distance) {
        continue;
      }
      double s = Math.log(v * inverseAlpha / (a / (distance * distance) + b));
      if (s <= -rate + k * Math.log(rate) - SpecialFunctions.lgamma(k + 1)) {
        return k;
      }
    }
  }
}
