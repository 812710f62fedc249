package dev.tributary.internal.kernel.random;

/**
 * The binomial distribution: for small means by sums of geometric numbers, for others by W.
 * Hörmann, "The generation of binomial random variates" (1993).
 */
public final class Binomial {
  /** From this mean on, rejection takes fewer uniform numbers. */
  private static final double LARGE = 10;

  /** The blocks for a sum of geometric numbers. Part of the numbers' definition. */
  private static final long SUM_REGION = 42;

  /** The errors of Stirling's formula for the logarithms of the factorials of 0 to 9. */
  private static final double[] STIRLING = {
    0.0810614667953272,
    0.0413406959554092,
    0.0276779256849983,
    0.02079067210376509,
    0.0166446911898211,
    0.0138761288230707,
    0.0118967099458917,
    0.0104112652619720,
    0.00925546218271273,
    0.00833056343336287
  };

  private Binomial() {}

  /**
   * @param single whether the parameters are floats, which decides how their product rounds
   */
  public static Sampler of(double count, double probability, boolean single) {
    if (count <= 0 || probability <= 0) {
      return new Sampler(0, stream -> 0);
    }
    if (probability >= 1) {
      return new Sampler(0, stream -> count);
    }
    if (Double.isNaN(probability)) {
      return new Sampler(0, stream -> Double.NaN);
    }
    boolean few = probability <= 0.5;
    double other = single ? 1 - (float) probability : 1 - probability;
    double p = few ? probability : other;
    double mean = single ? (float) count * (float) p : count * p;
    if (mean >= LARGE) {
      return new Sampler(
          Sampler.REGION,
          stream -> few ? reject(count, p, stream) : count - reject(count, p, stream));
    }
    return new Sampler(
        SUM_REGION, stream -> few ? sum(count, p, stream) : count - sum(count, p, stream));
  }

  private static double sum(double count, double p, Philox stream) {
    BufferedSamples uniform = BufferedSamples.doubles(stream);
    double sum = 0;
    for (int terms = 0; ; terms++) {
      sum += Math.ceil(Math.log(uniform.nextDouble()) / Math.log1p(-p));
      if (sum > count) {
        return terms;
      }
    }
  }

  private static double reject(double count, double p, Philox stream) {
    BufferedSamples uniform = BufferedSamples.doubles(stream);
    double deviation = Math.sqrt(count * p * (1 - p));
    double b = 1.15 + 2.53 * deviation;
    double a = -0.0873 + 0.0248 * b + 0.01 * p;
    double c = count * p + 0.5;
    double box = 0.92 - 4.2 / b;
    double r = p / (1 - p);
    double alpha = (2.83 + 5.1 / b) * deviation;
    double m = Math.floor((count + 1) * p);
    while (true) {
      double u = uniform.nextDouble() - 0.5;
      double v = uniform.nextDouble();
      double distance = 0.5 - Math.abs(u);
      double k = Math.floor((2 * a / distance + b) * u + c);
      if (distance >= 0.07 && v <= box) {
        return k;
      }
      if (k < 0 || k > count) {
        continue;
      }
      double limit =
          (m + 0.5) * Math.log((m + 1) / (r * (count - m + 1)))
              + (count + 1) * Math.log((count - m + 1) / (count - k + 1))
              + (k + 0.5) * Math.log(r * (count - k + 1) / (k + 1))
              + stirling(m)
              + stirling(count - m)
              - stirling(k)
              - stirling(count - k);
      if (Math.log(v * alpha / (a / (distance * distance) + b)) <= limit) {
        return k;
      }
    }
  }

  private static double stirling(double k) {
    if (k < STIRLING.length) {
      return STIRLING[(int) k];
    }
    double square = (k + 1) * (k + 1);
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
  }
}
