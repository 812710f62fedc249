package dev.tributary.internal.kernel.loop;

/**
 * A thread's own tiles, made when first wanted and kept. A loop may use all of them, and leaves
 * nothing in them.
 *
 * <p>Loops copy operands into these arrays, compute there and copy back, since the compiler
 * vectorises loops over arrays but not over native memory. Nanoseconds an element, direct against
 * tiles, over 16,384 elements (JDK 17.0.15, AMD EPYC with AVX2, 2 shared cores, best of many
 * rounds, 2026-11-15): float add 0.57 / 0.27, float max 0.92 / 0.29, double add 0.73 / 0.47, int
 * add 0.98 / 0.24, long add 1.00 / 0.50, boolean and 1.93 / 0.13, float less 0.96 / 0.60, long less
 * 1.11 / 0.65, float negate 0.36 / 0.18, square root 1.56 / 0.32; exp gains little (16.6 / 13.6 in
 * one run, nothing in others). Of what was tried, only the addition of doubles beyond the caches (8
 * MiB an operand) did better directly, 0.8 / 1.2. So tiles serve every carrier, and direct loops
 * only the short ones, where fetching tiles costs more.
 */
final class Tiles {
  /**
   * Elements in a tile. In the same measurement 1,024 did 5 to 15 % better for 4-byte carriers and
   * 30 % for booleans, but 15 to 25 % worse for 8-byte ones, of which three tiles and their sources
   * no longer fit a 32 KiB cache.
   */
  static final int LENGTH = 512;

  /**
   * Up to here direct loops win: tiles cost 25 ns more to begin with, and are level at 20 to 100
   * elements.
   */
  static final int DIRECT_LIMIT = 64;

  /** The slot that {@link Conversion} uses between two tiles of its caller. */
  static final int CONVERSION = 8;

  private static final int SLOTS = 9;
  private static final ThreadLocal<Tiles> OWN = ThreadLocal.withInitial(Tiles::new);

  private final Object[][] byCarrier = new Object[Carrier.values().length][SLOTS];

  private Tiles() {}

  static Tiles own() {
    return OWN.get();
  }

  Object tile(Carrier carrier, int slot) {
    Object[] slots = byCarrier[carrier.ordinal()];
    Object tile = slots[slot];
    return tile != null ? tile : (slots[slot] = carrier.newTile(LENGTH));
  }
}
