package dev.tributary.tensor;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lends blocks of another allocator as long as those that it has lent stay within a limit together.
 * Safe for use by many threads.
 */
public final class LimitedAllocator implements Allocator {
  private final Allocator source;
  private final long limit;
  private final AtomicLong lent = new AtomicLong();

  public LimitedAllocator(Allocator source, long limit) {
    this.source = source;
    this.limit = limit;
  }

  @Override
  public NativeStorage allocate(long bytes) {
    if (bytes > limit - lent.get()) {
      throw exhausted(bytes); // Not after the system was asked for as much.
    }
    NativeStorage block = source.allocate(bytes);
    if (lent.addAndGet(block.capacity()) > limit) {
      lent.addAndGet(-block.capacity());
      source.recycle(block);
      throw exhausted(bytes);
    }
    return new NativeStorage(this, block.address(), block.capacity());
  }

  @Override
  public void recycle(NativeStorage storage) {
    lent.addAndGet(-storage.capacity());
    source.recycle(new NativeStorage(source, storage.address(), storage.capacity()));
  }

  /** Those of the source, which others may use, too. */
  @Override
  public AllocatorStats stats() {
    return source.stats();
  }

  @Override
  public boolean isLimited() {
    return true;
  }

  private TributaryException exhausted(long bytes) {
    return new TributaryException(
        ErrorCode.RESOURCE_EXHAUSTED,
        String.format(
            "a tensor of %d bytes is more than is left: %d of at most %d bytes are in use; the"
                + " server's Limits.memoryBytes (--max-memory-bytes) sets this",
            bytes, lent.get(), limit));
  }
}
