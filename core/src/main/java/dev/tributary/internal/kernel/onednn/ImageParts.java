package dev.tributary.internal.kernel.onednn;

import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.ConvGeometry;

/**
 * A convolution cut into groups of images, each small enough that a second pass over its results
 * finds them in the cache. Convolutions without such a pass stay whole, and so do those on several
 * threads: the second pass runs on other threads than the library's, and those of one kind spin
 * where the others would run. With parts, the course's CNN on two threads made 1,030 examples in a
 * second of CPU time, whole 1,290 (busy AMD EPYC, 2026-11-19).
 *
 * @param images the number of images of a part; the last part may have fewer
 */
record ImageParts(ConvGeometry whole, long images) {
  /**
   * The results of a part. CPU ms of a step of the course's MobileNet, batch 32, on one core, best
   * and median of 12 s on a busy machine (AMD EPYC with 1 MiB of L2 a core, 2026-11-18): whole 262
   * and 273, 8 MiB 249 and 268, 2 MiB 241 and 261, 1 MiB 248 and 254, 512 KiB 239 and 248.
   */
  static final long BYTES = 1 << 19;

  /** A convolution of some images, whose tensors start so many bytes behind those of the whole. */
  @FunctionalInterface
  interface Part {
    /** Returns whether it was done. */
    boolean run(ConvGeometry geometry, long inputBytes, long outputBytes);
  }

  /** The parts of a convolution with an activation that may be a second pass, on some threads. */
  static ImageParts of(ConvGeometry g, Activation activation, int threads) {
    final long batch = Math.max(1, g.batch());
    final boolean secondPass = activation == Activation.RELU || activation == Activation.RELU6;
    if (!secondPass || threads > 1) {
      return new ImageParts(g, batch);
    }
    final long image = Math.max(1, g.outputElements() / batch * Float.BYTES);
    return new ImageParts(g, Math.max(1, BYTES / image));
  }

  /** Runs all parts in order; false as soon as one was not done. */
  boolean run(Part part) {
    final long batch = whole.batch();
    if (batch <= images) {
      return part.run(whole, 0, 0);
    }
    final long input = whole.inputElements() / batch * Float.BYTES;
    final long output = whole.outputElements() / batch * Float.BYTES;
    for (long first = 0; first < batch; first += images) {
      final ConvGeometry some = whole.withBatch(Math.min(images, batch - first));
      if (!part.run(some, first * input, first * output)) {
        return false;
      }
    }
    return true;
  }
}
