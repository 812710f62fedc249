package dev.tributary.internal.kernel.onednn;

import static dev.tributary.internal.kernel.onednn.Convolution.Kind.FORWARD;

import dev.tributary.internal.kernel.Affine;
import dev.tributary.internal.kernel.ConvGeometry;
import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.kernel.Moments;
import dev.tributary.internal.memory.Memory;
import java.util.OptionalLong;

/**
 * A convolution with the batch normalisation and the activation behind it. Where results are more
 * than the filter's elements, the normalisation is part of the filter and the bias: a pass over the
 * filter instead of two operations on each result, which docs/design/0008-image-primitives.md
 * weighs up. Thread-safe.
 */
final class NormalizedConvolution {
  private final Workers workers;
  private final ScratchPool scratch = new ScratchPool();

  NormalizedConvolution(Workers workers) {
    this.workers = workers;
  }

  /**
   * Returns whether it was done: not where oneDNN has nothing for it, nor where a channel's factor
   * is infinite or NaN, by which a filter cannot be multiplied.
   */
  boolean run(
      ConvGeometry g,
      float epsilon,
      Epilogue epilogue,
      long input,
      long filter,
      Affine affine,
      Moments moments,
      long output) {
    if (!OneDnnBackend.hasElements(g)) {
      return false;
    }
    final ImageParts parts = ImageParts.of(g, epilogue.activation());
    final NativeCalls calls = parts.workersOfPart(workers).calls();
    final Epilogue inside = OneDnnBackend.inside(epilogue);
    final ScaledFilter scaling =
        new ScaledFilter(
            new Convolution(FORWARD, parts.part(), inside, Convolution.Norm.IN_FILTER));
    final boolean folded = g.outputElements() >= g.filterElements();
    final OptionalLong filterBytes =
        folded ? calls.bytes(scaling, ScaledFilter.RESULT) : OptionalLong.of(0);
    if (filterBytes.isEmpty()) {
      return false;
    }
    final long vectorBytes = ScratchPool.aligned(g.outChannels() * Float.BYTES);
    final ScratchPool.Buffer buffer = scratch.take(2 * vectorBytes + filterBytes.getAsLong());
    final long factors = buffer.address();
    final long sums = factors + vectorBytes;
    final long scaled = sums + vectorBytes;
    final Convolution behind =
        new Convolution(FORWARD, parts.part(), inside, Convolution.Norm.BEHIND);
    final boolean done =
        prepare(g.outChannels(), epsilon, affine, moments, folded, factors, sums)
            && (!folded || calls.run(scaling, filter, factors, scaled))
            && parts.run(
                workers,
                (some, from, to) -> {
                  final long start = input + from;
                  final long end = output + to;
                  final boolean ran =
                      folded
                          ? calls.run(scaling.convolution(), start, scaled, end, sums)
                          : calls.run(behind, start, filter, end, sums, factors, affine.offset());
                  if (ran && !inside.equals(epilogue)) {
                    Clipping.run(some.parallel(), epilogue, end, parts.part().outputElements());
                  }
                  return ran;
                });
    scratch.give(buffer);
    return done;
  }

  /**
   * Writes the factor of each channel and what is added to its results, behind the factor if that
   * is {@code folded} into the filter and before it otherwise. False if a factor is not finite.
   */
  private static boolean prepare(
      long channels,
      float epsilon,
      Affine affine,
      Moments moments,
      boolean folded,
      long factors,
      long sums) {
    boolean finite = true;
    for (long at = 0; at < channels * Float.BYTES; at += Float.BYTES) {
      final double variance = Memory.getFloat(moments.variance() + at);
      final double scale = Memory.getFloat(affine.scale() + at);
      final double factor = scale / Math.sqrt(variance + epsilon);
      final double mean = Memory.getFloat(moments.mean() + at);
      final double sum = folded ? Memory.getFloat(affine.offset() + at) - mean * factor : -mean;
      Memory.putFloat(factors + at, (float) factor);
      Memory.putFloat(sums + at, (float) sum);
      finite &= Float.isFinite((float) factor);
    }
    return finite;
  }
}
