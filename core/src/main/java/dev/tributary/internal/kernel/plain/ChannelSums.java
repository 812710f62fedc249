package dev.tributary.internal.kernel.plain;

import dev.tributary.internal.kernel.ChannelGeometry;
import dev.tributary.internal.kernel.ParallelFor;
import java.util.function.Supplier;

/**
 * Sums over the pixels for each channel. The pieces depend on the sizes only, and are added in
 * order.
 */
final class ChannelSums {
  private static final int MAX_PARTS = 16;
  private static final long GRAIN = 16384;

  /** Adds what a block of pixels contributes to the sums, which begin at {@code at}. */
  @FunctionalInterface
  interface Block {
    void accept(long pixel, int count, double[] sums, int at);
  }

  private ChannelSums() {}

  /**
   * The totals of {@code sums} running sums; each thread asks {@code blocks} for a {@link Block}
   * with scratch of its own. They are the first elements of this thread's {@link Scratch#CALL}, so
   * copy what must last.
   */
  static double[] of(ParallelFor parallel, ChannelGeometry g, int sums, Supplier<Block> blocks) {
    final long pixels = g.pixels();
    final int parts = (int) Math.max(1, Math.min(MAX_PARTS, g.elements() / GRAIN));
    final double[] totals = Scratch.zeros(Scratch.CALL, parts * sums);
    final int step = Pixels.block(g.channels());
    parallel.run(
        parts,
        part -> {
          final Block block = blocks.get();
          final long end = pixels * (part + 1) / parts;
          for (long pixel = pixels * part / parts; pixel < end; pixel += step) {
            block.accept(pixel, (int) Math.min(step, end - pixel), totals, part * sums);
          }
        });
    for (int part = 1; part < parts; part++) {
      for (int i = 0; i < sums; i++) {
        totals[i] += totals[part * sums + i];
      }
    }
    return totals;
  }
}
