package dev.tributary.internal.kernel.random;

/**
 * Single numbers of a distribution that makes several from each block, the last of a block first,
 * as TensorFlow's samplers take them. Several may share one stream. Confined to one thread.
 */
final class BufferedSamples {
  private final Philox stream;
  private final BlockTransform transform;
  private final int[] block = new int[Philox.WORDS_PER_BLOCK];
  private int left;

  private BufferedSamples(Philox stream, BlockTransform transform) {
    this.stream = stream;
    this.transform = transform;
  }

  /** Uniform doubles in [0, 1). */
  static BufferedSamples doubles(Philox stream) {
    return new BufferedSamples(stream, Uniform::doubles);
  }

  /** Normally distributed doubles of mean 0 and deviation 1. */
  static BufferedSamples normal(Philox stream) {
    return new BufferedSamples(stream, DoubleBoxMuller::transform);
  }

  double nextDouble() {
    if (left == 0) {
      stream.fill(block, 1);
      transform.apply(block, block.length);
      left = block.length / 2;
    }
    left--;
    return Double.longBitsToDouble(Philox.join(block[2 * left], block[2 * left + 1]));
  }
}
