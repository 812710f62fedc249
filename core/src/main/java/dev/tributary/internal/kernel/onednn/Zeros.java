package dev.tributary.internal.kernel.onednn;

import org.bytedeco.javacpp.BytePointer;

/** Memory full of zeros that all programs share and nobody writes. Never freed. */
final class Zeros {
  /** Small enough to stay in a core's cache beside what it is compared with. */
  static final long BYTES = 256 << 10;

  private static final int ALIGNMENT = 64;
  private static final BytePointer MEMORY = new BytePointer(BYTES + ALIGNMENT);

  static {
    MEMORY.zero();
  }

  private Zeros() {}

  static long address() {
    return (MEMORY.address() + ALIGNMENT - 1) & -ALIGNMENT;
  }
}
