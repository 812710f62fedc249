package dev.tributary.internal.kernel.onednn;

import dev.tributary.internal.memory.Memory;

/** The moving averages that batch normalisation keeps, of one float for each channel. */
record RunningStatistics(long channels, float factor) {
  /**
   * {@code to = (1 - factor) * old + factor * gain * batch}; the old values are not read when the
   * factor is 1.
   */
  void update(long old, long batch, double gain, long to) {
    for (long at = 0; at < channels * Float.BYTES; at += Float.BYTES) {
      final double part = factor * gain * Memory.getFloat(batch + at);
      final double rest = factor == 1 ? 0 : (1.0 - factor) * Memory.getFloat(old + at);
      Memory.putFloat(to + at, (float) (rest + part));
    }
  }
}
