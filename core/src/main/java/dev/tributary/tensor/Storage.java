package dev.tributary.tensor;

import dev.tributary.error.TributaryException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What tensors share: elements and a count of references. The last release gives the elements back. */
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
    int before = (int) REFERENCES.getAndAdd(this, 1);
    if (before <= 0) {
      REFERENCES.getAndAdd(this, -1);
      throw TributaryException.internal("a tensor was used after its last reference was released");
    }
  }

  final void release() {
    int before = (int) REFERENCES.getAndAdd(this, -1);
    if (before == 1) {
      free();
    } else if (before <= 0) {
      throw TributaryException.internal("a tensor was released more often than it was retained");
    }
  }

  final int references() {
    return references;
  }

  /** Makes a recycled block count as fresh. */
  final void revive() {
    references = 1;
  }

  abstract void free();
}
