package dev.tributary.tensor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A count of references to the elements of tensors. The last release gives the elements back; after
 * that the count never rises again, so every later use is an error and not a look into somebody
 * else's memory.
 */
abstract class Storage {
  private static final VarHandle REFERENCES;

  static {
    try {
      REFERENCES = MethodHandles.lookup().findVarHandle(Storage.class, "references", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile int references = 1;

  /** Takes this many references; false if the last one is gone. */
  final boolean retain(int count) {
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
  final boolean release() {
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

  final boolean isLive() {
    return references > 0;
  }

  final int references() {
    return references;
  }

  abstract void free();
}
