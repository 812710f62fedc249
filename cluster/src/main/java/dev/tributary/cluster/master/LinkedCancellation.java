package dev.tributary.cluster.master;

import dev.tributary.kernel.Cancellation;

/**
 * A cancellation that follows others until it is closed, so that they need not remember all who
 * ever listened to them. Safe for use by many threads.
 */
final class LinkedCancellation implements AutoCloseable {
  private final Cancellation own = new Cancellation();
  private final Cancellation[] followed;

  /** One for all, which need not know whose it is: whoever calls it has a reason. */
  private final Runnable link = this::follow;

  LinkedCancellation(Cancellation... followed) {
    this.followed = followed.clone();
    for (Cancellation other : followed) {
      other.onCancel(link);
    }
  }

  private void follow() {
    for (Cancellation other : followed) {
      other.reason().ifPresent(own::cancel);
    }
  }

  Cancellation cancellation() {
    return own;
  }

  void cancel(RuntimeException why) {
    own.cancel(why);
  }

  @Override
  public void close() {
    for (Cancellation other : followed) {
      other.forget(link);
    }
  }
}
