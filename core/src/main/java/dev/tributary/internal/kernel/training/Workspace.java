package dev.tributary.internal.kernel.training;

import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.tensor.DataType;

/** A thread's own tiles for the state, the gradient and the scratch of an update. */
final class Workspace {
  /** The most variables that a rule changes at once. */
  private static final int MAX_STATE = 4;

  private static final ThreadLocal<Workspace> FLOATS = ofEachThread(DataType.FLOAT);
  private static final ThreadLocal<Workspace> DOUBLES = ofEachThread(DataType.DOUBLE);
  private static final ThreadLocal<Workspace> HALVES = ofEachThread(DataType.HALF);
  private static final ThreadLocal<Workspace> BFLOATS = ofEachThread(DataType.BFLOAT16);

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

  private static ThreadLocal<Workspace> ofEachThread(DataType type) {
    return ThreadLocal.withInitial(() -> new Workspace(type));
  }

  /** This thread's workspace for a type; fails with UNIMPLEMENTED if updates do not take it. */
  static Workspace own(DataType type) {
    return switch (RealElements.of(type)) {
      case FLOAT -> FLOATS.get();
      case DOUBLE -> DOUBLES.get();
      case HALF -> HALVES.get();
      case BFLOAT16 -> BFLOATS.get();
    };
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
