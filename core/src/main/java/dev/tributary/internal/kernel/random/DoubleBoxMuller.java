package dev.tributary.internal.kernel.random;

/**
 * Two normal doubles from four words by the Box-Muller transform, with the logarithm, sine and
 * cosine of the GNU C library (checked with version 2.36) on processors with fused multiply-add.
 * Stock TensorFlow calls whatever C library it runs on, so it gives other last bits on processors
 * without that instruction; there, too, this class gives the former, though slowly, since Java then
 * emulates {@link Math#fma}.
 */
final class DoubleBoxMuller {
  private static final double TWO_PI = 2 * Math.PI;

  /** Keeps the logarithm finite; larger than it need be, as in TensorFlow. */
  private static final double SMALLEST = 1.0e-7;

  private DoubleBoxMuller() {}

  static void transform(int[] words, int count) {
    final DoubleSineCosine angle = new DoubleSineCosine();
    for (int i = 0; i < count; i += 4) {
      final double u = Math.max(Uniform.toDouble(words[i], words[i + 1]), SMALLEST);
      final double radius = Math.sqrt(-2 * DoubleLog.of(u));
      angle.reduce(TWO_PI * Uniform.toDouble(words[i + 2], words[i + 3]));
      Uniform.put(words, i, Double.doubleToRawLongBits(angle.sine() * radius));
      Uniform.put(words, i + 2, Double.doubleToRawLongBits(angle.cosine() * radius));
    }
  }
}
