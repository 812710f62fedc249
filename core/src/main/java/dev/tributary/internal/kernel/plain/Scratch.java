package dev.tributary.internal.kernel.plain;

import java.util.Arrays;

/**
 * A thread's own arrays, which grow and stay. A piece of work may use all slots but {@link #CALL},
 * and leaves nothing in them; contents are undefined at first, and arrays may be longer than asked
 * for.
 */
final class Scratch {
  /** The slot of whoever runs pieces of work, one of which may run on the same thread. */
  static final int CALL = 2;

  private static final ThreadLocal<Scratch> OWN = ThreadLocal.withInitial(Scratch::new);

  private final double[][] slots = new double[CALL + 1][0];

  private Scratch() {}

  static double[] doubles(int slot, int length) {
    double[][] slots = OWN.get().slots;
    if (slots[slot].length < length) {
      slots[slot] = new double[length];
    }
    return slots[slot];
  }

  static double[] zeros(int slot, int length) {
    double[] zeros = doubles(slot, length);
    Arrays.fill(zeros, 0, length, 0);
    return zeros;
  }
}
