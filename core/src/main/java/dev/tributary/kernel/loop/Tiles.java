package dev.tributary.kernel.loop;

/**
 * A thread's own tiles, made when first wanted and kept. A loop may use all of them, and leaves nothing in them.
 *
 * <p>Loops copy operands into these arrays, compute there and copy back, since the compiler vectorises loops over arrays but
 * not over native memory. Nanoseconds an element of a binary loop, direct against tiles, over 16,384 elements (JDK 17.0.15,
 * AMD EPYC with 2 cores and AVX2, 2026-11-15): float add 0.57 / 0.24, float max 0.94 / 0.28, double add 0.73 / 0.46, int add
 * 0.99 / 0.25, long add 0.97 / 0.58, boolean and 1.8 / 0.16, float less 0.96 / 0.6, long less 1.04 / 0.66. Unary: negate 0.36 / 0.24,
 * square root 1.6 / 0.33; exp does not care (17). Only double operands far beyond the caches (8 MiB each) do better directly,
 * 0.8 / 1.2. So tiles serve every carrier, and direct loops only the short ones, where fetching tiles costs more.
 */
final class Tiles {
  /** Elements in a tile. 512 beat 1,024 on all carriers, by up to a third for 8-byte ones, as three then fit the L1 cache. */
  static final int LENGTH = 512;

  /** Up to here direct loops win: tiles cost 25 ns more to begin with, and are level at 40 to 100 elements. */
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
