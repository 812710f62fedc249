package dev.tributary.internal.concurrent;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets something be closed while it is in use: it takes no more users then, and what {@code close}
 * stands for happens when the last one leaves. Safe for use by many threads.
 */
public final class UseCount {
  /** Added to the number of users when this is closed. */
  private static final int CLOSED = Integer.MIN_VALUE;

  private final AtomicInteger users = new AtomicInteger();
  private final Runnable onClose;

  public UseCount(Runnable onClose) {
    this.onClose = onClose;
  }

  /** Counts one more user, unless it was closed; a user that came in must {@link #leave}. */
  public boolean enter() {
    int current = users.get();
    while (current >= 0) {
      if (users.compareAndSet(current, current + 1)) {
        return true;
      }
      current = users.get();
    }
    return false;
  }

  public void leave() {
    if (users.decrementAndGet() == CLOSED) {
      onClose.run();
    }
  }

  /** Closes; closing again has no effect. */
  public void close() {
    int before = users.getAndUpdate(current -> current | CLOSED);
    if (before == 0) {
      onClose.run();
    }
  }

  /** Returns whether there are users, which may be after it was closed. */
  public boolean isUsed() {
    return (users.get() & ~CLOSED) > 0;
  }

  public boolean isClosed() {
    return users.get() < 0;
  }
}
