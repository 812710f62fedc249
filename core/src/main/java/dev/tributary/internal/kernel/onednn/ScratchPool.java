package dev.tributary.internal.kernel.onednn;

import java.util.concurrent.ConcurrentLinkedDeque;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/**
 * Working memory for calls: as many buffers as there are calls at once, each as large as the
 * largest need it has met. Thread-safe. The buffers are freed with the pool, by the collector.
 */
final class ScratchPool {
  private static final int ALIGNMENT = 64;

  private final ConcurrentLinkedDeque<Buffer> free = new ConcurrentLinkedDeque<>();

  /** The distance to the next thing in a buffer behind one of {@code bytes}. */
  static long aligned(long bytes) {
    return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** A buffer of {@code bytes} or more, the caller's until {@link #give}. */
  Buffer take(long bytes) {
    // The one given last is warm in the cache.
    final Buffer buffer = free.pollFirst();
    if (buffer != null && buffer.bytes >= bytes) {
      return buffer;
    }
    if (buffer != null) {
      buffer.memory.close();
    }
    return new Buffer(bytes);
  }

  void give(Buffer buffer) {
    free.addFirst(buffer);
  }

  /** Aligned native memory. */
  static final class Buffer {
    private final Pointer memory;
    private final long bytes;
    private final long address;

    private Buffer(long bytes) {
      this.bytes = bytes;
      memory = new BytePointer(bytes + ALIGNMENT);
      address = aligned(memory.address());
    }

    long address() {
      return address;
    }
  }
}
