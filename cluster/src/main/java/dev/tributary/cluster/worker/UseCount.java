package dev.tributary.cluster.worker;

/**
 * Lets something be closed while it is in use: it takes no more users then, and what {@code close}
 * stands for happens when the last one leaves. Guarded by its own monitor.
 */
final class UseCount {
  private final Runnable onClose;
  private int users;
  private boolean closed;

  UseCount(Runnable onClose) {
    this.onClose = onClose;
  }

  /** Counts one more user, unless it was closed; a user that came in must {@link #leave}. */
  synchronized boolean enter() {
    if (closed) {
      return false;
    }
    users++;
    return true;
  }

  void leave() {
    if (isLastToLeave()) {
      onClose.run();
    }
  }

  void close() {
    if (isFreeToClose()) {
      onClose.run();
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }

  private synchronized boolean isLastToLeave() {
    users--;
    return closed && users == 0;
  }

  private synchronized boolean isFreeToClose() {
    boolean isFirst = !closed;
    closed = true;
    return isFirst && users == 0;
  }
}
