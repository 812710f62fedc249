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
 * Elements on their way to another process: a ring in memory that both have mapped. How much was
 * put in and how much was taken out stands at the ring's beginning. A reader that is ahead spins
 * for a while, as it would take longer to wake it than the writer takes for its next piece. Then it
 * says that it {@linkplain #sleeps sleeps} and waits for a byte from the socket beside the ring,
 * which the writer {@linkplain #wakesReader sends} then and only then; so a dead writer is noticed
 * there. One thread at a time writes, in one process, and one reads, in the other.
 *
 * <p>Small enough to stay in the processor's cache, so that what one side copies in, the other
 * copies out from there.
 */
final class SharedRing {
  static final int CAPACITY = 2 << 20;

  /** The byte that wakes a reader. */
  static final byte WAKE = 7;

  // Each has a cache line of its own. The first two count bytes since the beginning.
  static final int PUT = 0;
  static final int TAKEN = 64;
  private static final int ASLEEP = 128;
  private static final int HEADER = 192;

  static final int BYTES = HEADER + CAPACITY;

  /** So much at a time, for the reader to begin while the writer goes on. */
  private static final int CHUNK = 128 << 10;

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** A chunk takes some 10 us, and to wake a thread 50 us or more. */
  private static final long SPIN_NANOS = Duration.ofNanos(50_000).toNanos();

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
    LONGS.setVolatile(memory, PUT, put);
    return size;
  }

  /** Whether the reader has fallen asleep and gets a byte for it now. */
  boolean wakesReader() {
    return (long) LONGS.getVolatile(memory, ASLEEP) != 0
        && LONGS.compareAndSet(memory, ASLEEP, 1L, 0L);
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
    return CAPACITY - filled(put, (long) LONGS.getAcquire(memory, TAKEN));
  }

  /** Ends what waits for room. */
  void close() {
    closed = true;
  }

  // ---- the reader's side ----

  /** Copies out what there is, up to a chunk; returns how much that was. */
  int take(long address, long bytes) throws IOException {
    int at = (int) (taken % CAPACITY);
    int size = (int) Math.min(Math.min(bytes, CHUNK), Math.min(available(), CAPACITY - at));
    Memory.bytes(address, size)
        .put(memory.duplicate().position(HEADER + at).limit(HEADER + at + size));
    taken += size;
    LONGS.setRelease(memory, TAKEN, taken);
    return size;
  }

  /** Whether there is something to take now or in the next moment. */
  boolean fillsSoon() throws IOException {
    long start = System.nanoTime();
    while (available() == 0) {
      if (System.nanoTime() - start > SPIN_NANOS) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  /**
   * Falls asleep: from now on the writer sends a byte with what it puts in next. False if there is
   * something to take after all and no byte comes.
   */
  boolean sleeps() throws IOException {
    LONGS.setVolatile(memory, ASLEEP, 1L);
    return available() == 0 || !LONGS.compareAndSet(memory, ASLEEP, 1L, 0L);
  }

  /** What the writer says is checked as well. */
  private long available() throws IOException {
    return filled((long) LONGS.getVolatile(memory, PUT), taken);
  }

  private static long filled(long allPut, long allTaken) throws IOException {
    if (allTaken < 0 || allTaken > allPut || allPut - allTaken > CAPACITY) {
      throw new IOException("malformed: " + allTaken + " bytes taken of " + allPut);
    }
    return allPut - allTaken;
  }
}
