package dev.tributary.internal.kernel.random;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/**
 * Draws of a normal distribution between two bounds, by rejection: of normal numbers if enough of
 * them are inside, of uniform numbers if the bounds are close, or else of exponential ones. By C.
 * Robert, "Simulation of truncated normal variables" (1995).
 *
 * <p>All draws of a call take one stream, in order. Stock TensorFlow does so on one thread; with
 * more its draws of large tensors depend on their number.
 */
public final class BoundedNormal {
  /** The blocks of the stream that stand for two draws. Part of the numbers' definition. */
  public static final long MOST_TRIES = 1000;

  /** So many deviations inside of the bounds make normal numbers the best proposal. */
  private static final double NORMAL_INSIDE = 1.3;

  private final Philox stream;
  private final Tensor output;
  private final BlockTransform normal;
  private final boolean isWide;
  private final int[] words = new int[Philox.WORDS_PER_BLOCK];

  public BoundedNormal(Philox stream, Tensor output) {
    this.stream = stream;
    this.output = output;
    this.isWide = output.type() == DataType.DOUBLE;
    this.normal = isWide ? DoubleBoxMuller::transform : FloatBoxMuller::transform;
  }

  /** The parameters of a part of the output. */
  public record Parameters(double mean, double deviation, double low, double high) {
    public Parameters {
      boolean isBounded = !Double.isInfinite(low) || !Double.isInfinite(high);
      if (!(deviation > 0 && low < high && isBounded)) {
        throw TributaryException.invalidArgument(
            "Invalid parameters: the deviation must be positive, and the least value below the"
                + " greatest, one of which must be finite; got deviation %s and bounds %s and %s",
            deviation, low, high);
      }
    }
  }

  /** Draws {@code count} elements from {@code first} on, each {@code stride} behind the last. */
  public void fill(Parameters p, long first, long count, long stride) {
    // Turned round if that brings the finite bound, or that nearer to the mean, to the lower end.
    boolean turned = p.low() == Double.NEGATIVE_INFINITY || p.high() < p.mean();
    double deviation = turned ? -p.deviation() : p.deviation();
    double low = ((turned ? p.high() : p.low()) - p.mean()) / deviation;
    double high = ((turned ? p.low() : p.high()) - p.mean()) / deviation;
    double root = Math.sqrt(low * low + 4);
    double cutoff = 2 * Math.exp(0.5 + low * (low - root) / 4) / (low + root);
    Writer writer = new Writer(p.mean(), deviation, new Places(first, count, stride));
    if (low < -NORMAL_INSIDE && high >= 0 || high > NORMAL_INSIDE && low <= 0) {
      drawNormal(writer, low, high);
    } else if (high - low < cutoff) {
      drawUniform(writer, low, high);
    } else {
      drawExponential(writer, low, high);
    }
  }

  private void drawNormal(Writer writer, double low, double high) {
    while (writer.isOpen()) {
      double[] draws = normals();
      for (int i = 0; i < draws.length && writer.isOpen(); i++) {
        writer.offer(draws[i], draws[i] >= low && draws[i] <= high);
      }
    }
  }

  private void drawUniform(Writer writer, double low, double high) {
    double most = low < 0 ? 0 : low * low;
    while (writer.isOpen()) {
      double[] draws = uniforms();
      double[] chances = uniforms();
      for (int i = 0; i < draws.length && writer.isOpen(); i++) {
        double draw = draws[i] * (high - low) + low;
        writer.offer(draw, chances[i] <= Math.exp((most - draw * draw) / 2));
      }
    }
  }

  private void drawExponential(Writer writer, double low, double high) {
    double rate = (low + Math.sqrt(low * low + 4)) / 2;
    while (writer.isOpen()) {
      double[] numbers = uniforms();
      for (int i = 0; i < numbers.length && writer.isOpen(); i += 2) {
        double draw = -Math.log(numbers[i]) / rate + low;
        double distance = low < rate ? rate - draw : low - rate;
        boolean isLikely = numbers[i + 1] <= Math.exp(-distance * distance / 2);
        writer.offer(draw, isLikely && draw < high);
      }
    }
  }

  /** The elements of the next block of normal numbers. */
  private double[] normals() {
    stream.fill(words, 1);
    normal.apply(words, words.length);
    double[] numbers = new double[isWide ? 2 : 4];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] =
          isWide
              ? Double.longBitsToDouble(Philox.join(words[2 * i], words[2 * i + 1]))
              : Float.intBitsToFloat(words[i]);
    }
    return numbers;
  }

  /** The elements of the next block of uniform numbers. */
  private double[] uniforms() {
    stream.fill(words, 1);
    double[] numbers = new double[isWide ? 2 : 4];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] =
          isWide ? Uniform.toDouble(words[2 * i], words[2 * i + 1]) : Uniform.toFloat(words[i]);
    }
    return numbers;
  }

  /** The elements that a part of the output consists of. */
  private record Places(long first, long count, long stride) {
    long at(long i) {
      return first + i * stride;
    }
  }

  /** Takes the draws that are accepted, until a part of the output is full. */
  private final class Writer {
    private final double mean;
    private final double deviation;
    private final Places places;
    private long written;
    private int rejected;

    Writer(double mean, double deviation, Places places) {
      this.mean = mean;
      this.deviation = deviation;
      this.places = places;
    }

    boolean isOpen() {
      return written < places.count();
    }

    void offer(double draw, boolean isAccepted) {
      if (isAccepted) {
        Reals.put(output, places.at(written++), draw * deviation + mean);
        rejected = 0;
      } else if (++rejected > MOST_TRIES) {
        throw TributaryException.invalidArgument(
            "no draw was accepted in %d tries: the bounds are too far from the mean", MOST_TRIES);
      }
    }
  }
}
