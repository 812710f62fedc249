package dev.tributary.internal.memory;

/**
 * A block of native memory that an {@link Allocator} lends once: the memory may be lent again, but
 * as another {@code NativeStorage}.
 */
public final class NativeStorage extends Storage {
  private final Allocator owner;
  private final long capacity;

  NativeStorage(Allocator owner, long address, long capacity) {
    super(address);
    this.owner = owner;
    this.capacity = capacity;
  }

  /** Usable bytes, which may be more than was asked for. */
  public long capacity() {
    return capacity;
  }

  @Override
  void free() {
    owner.recycle(this);
  }
}
