package dev.tributary.internal.kernel.onednn;

import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.ConvGeometry;

/**
 * A convolution cut into groups of as many images, each small enough that a second pass over its
 * results finds them in the cache. Convolutions without such a pass stay whole.
 *
 * @param images the number of images of a part
 */
record ImageParts(ConvGeometry whole, long images) {
  /**
   * The results of a part. CPU ms of a step of the course's MobileNet, batch 32, on one core, best
   * and median of 12 s on a busy machine (AMD EPYC with 1 MiB of L2 a core, 2026-11-18): whole 262
   * and 273, 8 MiB 249 and 268, 2 MiB 241 and 261, 1 MiB 248 and 254, 512 KiB 239 and 248.
   */
  static final long BYTES = 1 << 19;

  /** A part of images of 7 x 7 pixels and 1,024 channels took a fifth more time with half of it. */
  private static final long FEWEST_PIXELS = 192;

  /** The convolution of one part, whose tensors start so many bytes behind those of the whole. */
  @FunctionalInterface
  interface Part {
    /**
     * Returns whether it was done.
     *
     * @param workers what the part may use
     */
    boolean run(Workers workers, long inputBytes, long outputBytes);
  }

  /** The parts of a convolution with an activation that may be a second pass. */
  static ImageParts of(ConvGeometry g, Activation activation) {
    final long batch = Math.max(1, g.batch());
    final boolean secondPass = activation == Activation.RELU || activation == Activation.RELU6;
    if (!secondPass) {
      return new ImageParts(g, batch);
    }
    final long image = Math.max(1, g.outputElements() / batch * Float.BYTES);
    return new ImageParts(g, divisor(batch, Math.max(BYTES / image, fewestImages(g))));
  }

  /** So many images that the filter is not read from memory for a few pixels. */
  private static long fewestImages(ConvGeometry g) {
    final long pixels = Math.max(1, g.height().output() * g.width().output());
    return (FEWEST_PIXELS + pixels - 1) / pixels;
  }

  /** The largest number up to {@code most} that divides {@code batch}. */
  private static long divisor(long batch, long most) {
    long images = Math.min(batch, most);
    while (batch % images != 0) {
      images--;
    }
    return images;
  }

  /** The convolution of one part. */
  ConvGeometry part() {
    return whole.withBatch(images);
  }

  /** Returns what one part may use: all threads if it is the only one. */
  Workers workersOfPart(Workers all) {
    return images == whole.batch() ? all : all.alone();
  }

  /**
   * Runs all parts; false if one was not done. Threads take part after part as they come, each with
   * native calls of its own, so that one whose core does something else holds up nobody.
   */
  boolean run(Workers workers, Part part) {
    final long batch = whole.batch();
    final Workers some = workersOfPart(workers);
    if (images == batch) {
      return part.run(some, 0, 0);
    }
    final long input = whole.inputElements() / batch * images * Float.BYTES;
    final long output = whole.outputElements() / batch * images * Float.BYTES;
    return workers
        .parallel()
        .all(Math.toIntExact(batch / images), i -> part.run(some, i * input, i * output));
  }
}
