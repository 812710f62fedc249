package dev.tributary.internal.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A count of references to the elements of tensors. The last release gives the elements back; after
 * that the count never rises again, so every later use is an error and not a look into somebody
 * else's memory.
 */
public abstract class Storage {
  private static final VarHandle REFERENCES;

  static {
    try {
      REFERENCES = MethodHandles.lookup().findVarHandle(Storage.class, "references", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long address;
  private volatile int references = 1;

  /** Elements at this address in native memory; 0 for those on the Java heap. */
  Storage(long address) {
    this.address = address;
  }

  /** Returns where the elements begin. Valid while a reference is held; see {@link Memory}. */
  public final long address() {
    return address;
  }

  /** Takes this many references; false if the last one is gone. */
  public final boolean retain(int count) {
    int before;
    do {
      before = references;
      if (before <= 0) {
        return false;
      }
    } while (!REFERENCES.weakCompareAndSet(this, before, before + count));
    return true;
  }

  /** Gives one reference back; false if there was none. */
  public final boolean release() {
    int before = (int) REFERENCES.getAndAdd(this, -1);
    if (before == 1) {
      free();
    }
    return before > 0;
  }

  /** Ends the only reference without {@link #free}; false if it has ended already. */
  final boolean end() {
    return REFERENCES.compareAndSet(this, 1, 0);
  }

  public final boolean isLive() {
    return references > 0;
  }

  public final int references() {
    return references;
  }

  abstract void free();
}
