package dev.tributary.internal.kernel.random;

import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.tensor.Tensor;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;

/**
 * A way to draw numbers by rejection. As a draw takes a varying part of the stream, each has a
 * region to itself.
 *
 * @param region the blocks from one draw to the next
 * @param draw makes a number from the stream that begins at its region
 */
public record Sampler(long region, ToDoubleFunction<Philox> draw) {
  /** The region of most samplers. Part of the numbers' definition. */
  static final long REGION = 256;

  /**
   * Fills a tensor of shape [samples, batches]. The regions follow each other batch by batch.
   *
   * @param samplers makes the sampler of a batch
   */
  public static void fill(
      Philox source, long batches, Tensor output, LongFunction<Sampler> samplers) {
    long samples = batches == 0 ? 0 : output.elementCount() / batches;
    for (long batch = 0; batch < batches; batch++) {
      Sampler sampler = samplers.apply(batch);
      for (long i = 0; i < samples; i++) {
        Philox stream = source.copy();
        stream.skip(sampler.region() * (batch * samples + i));
        put(output, i * batches + batch, sampler.draw().applyAsDouble(stream));
      }
    }
  }

  /** Element {@code i} of a tensor of parameters, of a floating or an integer type. */
  public static double parameter(Tensor tensor, long i) {
    return tensor.type().isFloating() ? Reals.at(tensor, i) : IndexTensors.at(tensor, i);
  }

  private static void put(Tensor output, long i, double value) {
    if (output.type().isFloating()) {
      Reals.put(output, i, value);
    } else {
      IndexTensors.put(output, i, (long) value);
    }
  }
}
