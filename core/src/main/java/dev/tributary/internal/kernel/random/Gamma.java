package dev.tributary.internal.kernel.random;

/**
 * The gamma distribution with scale 1, by G. Marsaglia and W. W. Tsang, "A simple method for
 * generating gamma variables" (2000).
 */
public final class Gamma {
  private Gamma() {}

  public static Sampler of(double alpha) {
    if (alpha == 1) {
      return new Sampler(
          Sampler.REGION, stream -> -Math.log1p(-BufferedSamples.doubles(stream).nextDouble()));
    }
    return new Sampler(Sampler.REGION, stream -> draw(alpha, stream));
  }

  private static double draw(double alpha, Philox stream) {
    BufferedSamples normal = BufferedSamples.normal(stream);
    BufferedSamples uniform = BufferedSamples.doubles(stream);
    double d = alpha + (alpha < 1 ? 2.0 / 3 : -1.0 / 3);
    double c = 1.0 / 3 / Math.sqrt(d);
    while (true) {
      double x = normal.nextDouble();
      double root = 1 + c * x;
      if (root <= 0) {
        continue;
      }
      double v = root * root * root;
      double u = uniform.nextDouble();
      if (u < 1 - 0.0331 * (x * x) * (x * x)
          || Math.log(u) < 0.5 * x * x + d * (1 - v + Math.log(v))) {
        return alpha < 1 ? d * v * Math.pow(uniform.nextDouble(), 1 / alpha) : d * v;
      }
    }
  }
}
