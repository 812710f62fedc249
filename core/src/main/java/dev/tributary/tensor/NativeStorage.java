package dev.tributary.tensor;

/**
 * A block of native memory that an {@link Allocator} lends once: the memory may be lent again, but
 * as another {@code NativeStorage}.
 */
public final class NativeStorage extends Storage {
  private final Allocator owner;
  private final long address;
  private final long capacity;

  NativeStorage(Allocator owner, long address, long capacity) {
    this.owner = owner;
    this.address = address;
    this.capacity = capacity;
  }

  public long address() {
    return address;
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
