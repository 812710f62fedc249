package dev.tributary.internal.kernel.training;

import dev.tributary.tensor.DataType;

/** A thread's own tiles for the state, the gradient and the scratch of an update. */
final class Workspace {
  /** The most variables that a rule changes at once. */
  private static final int MAX_STATE = 4;

  private static final ThreadLocal<Workspace> FLOATS =
      ThreadLocal.withInitial(() -> new Workspace(DataType.FLOAT));
  private static final ThreadLocal<Workspace> DOUBLES =
      ThreadLocal.withInitial(() -> new Workspace(DataType.DOUBLE));

  final Tile[] state = new Tile[MAX_STATE];
  final Tile gradient;
  final Tile[] scratch;

  private Workspace(DataType type) {
    for (int i = 0; i < MAX_STATE; i++) {
      state[i] = Tile.of(type);
    }
    gradient = Tile.of(type);
    scratch = new Tile[] {Tile.of(type), Tile.of(type)};
  }

  static Workspace own(DataType type) {
    return type == DataType.FLOAT ? FLOATS.get() : DOUBLES.get();
  }

  /**
   * Loads {@code count} elements of each variable, {@code offset} bytes behind its address, and of
   * the gradient.
   */
  void load(long[] addresses, long offset, long gradientAddress, int count) {
    for (int i = 0; i < addresses.length; i++) {
      state[i].load(addresses[i] + offset, count);
    }
    gradient.load(gradientAddress, count);
    scratch[0].resize(gradient);
    scratch[1].resize(gradient);
  }

  /** Writes the state back to where it was loaded from. */
  void store(long[] addresses, long offset) {
    for (int i = 0; i < addresses.length; i++) {
      state[i].store(addresses[i] + offset);
    }
  }
}
