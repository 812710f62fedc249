package dev.tributary.tensor;

import dev.tributary.error.TributaryException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What tensors share: elements and a count of references. The last release gives the elements back;
 * after that the count never rises again, so every later use is an error and not a look into
 * somebody else's memory.
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

  final void retain() {
    retain(1);
  }

  final void retain(int count) {
    int before;
    do {
      before = references;
      if (before <= 0) {
        throw usedAfterRelease();
      }
    } while (!REFERENCES.weakCompareAndSet(this, before, before + count));
  }

  final void release() {
    int before = (int) REFERENCES.getAndAdd(this, -1);
    if (before == 1) {
      free();
    } else if (before <= 0) {
      throw TributaryException.internal("a tensor was released more often than it was retained");
    }
  }

  final void requireLive() {
    if (references <= 0) {
      throw usedAfterRelease();
    }
  }

  final int references() {
    return references;
  }

  abstract void free();

  private static TributaryException usedAfterRelease() {
    return TributaryException.internal("a tensor was used after its last reference was released");
  }
}
