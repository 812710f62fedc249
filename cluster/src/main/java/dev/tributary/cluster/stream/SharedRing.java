package dev.tributary.cluster.stream;

import dev.tributary.tensor.Memory;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.AsynchronousCloseException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Elements on their way to another process: a ring in memory that both have mapped. How much lies
 * in it is told through the socket beside it; how much has been taken out, the reader writes at the
 * ring's beginning. One thread at a time writes, in one process, and one reads, in the other.
 *
 * <p>Small enough to stay in the processor's cache, so that what one side copies in, the other
 * copies out from there.
 */
final class SharedRing {
  static final int CAPACITY = 2 << 20;

  /** The reader's count has a cache line of its own. */
  private static final int HEADER = 64;

  static final int BYTES = HEADER + CAPACITY;

  /** So much at a time, for the reader to begin while the writer goes on. */
  private static final int CHUNK = 256 << 10;

  private static final VarHandle TAKEN =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final int SPINS = 1000;
  private static final long PAUSE_NANOS = Duration.ofNanos(20_000).toNanos();

  private final ByteBuffer memory;
  private volatile boolean closed;
  private long put;
  private long taken;

  /**
   * @param memory {@link #BYTES} of mapped memory, zeros in the beginning
   */
  SharedRing(ByteBuffer memory) {
    this.memory = memory;
  }

  // ---- the writer's side ----

  /** Copies in what there is room for, up to a chunk; returns how much that was. */
  int put(long address, long bytes) throws IOException {
    int at = (int) (put % CAPACITY);
    int size = (int) Math.min(Math.min(bytes, CHUNK), Math.min(room(), CAPACITY - at));
    memory.duplicate().position(HEADER + at).put(Memory.bytes(address, size));
    put += size;
    return size;
  }

  /** Waits until the reader has taken something out, for as long as the ring is not closed. */
  void awaitRoom() throws IOException {
    for (int i = 0; room() == 0; i++) {
      if (closed) {
        throw new AsynchronousCloseException();
      } else if (i < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** What the reader says is checked: a wrong count must not let us write elsewhere. */
  private long room() throws IOException {
    long count = (long) TAKEN.getAcquire(memory, 0);
    if (count > put || count < put - CAPACITY) {
      throw new IOException("malformed: " + count + " bytes taken of " + put);
    }
    return CAPACITY - (put - count);
  }

  /** Ends what waits for room. */
  void close() {
    closed = true;
  }

  // ---- the reader's side ----

  /** Copies out what the writer has told to be there. */
  void take(long address, int bytes) throws IOException {
    int at = (int) (taken % CAPACITY);
    if (bytes <= 0 || bytes > CAPACITY - at) {
      throw new IOException("malformed: " + bytes + " bytes in shared memory");
    }
    Memory.bytes(address, bytes)
        .put(memory.duplicate().position(HEADER + at).limit(HEADER + at + bytes));
    taken += bytes;
    TAKEN.setRelease(memory, 0, taken);
  }
}
