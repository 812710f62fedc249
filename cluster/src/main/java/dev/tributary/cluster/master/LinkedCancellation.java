package dev.tributary.cluster.master;

import dev.tributary.kernel.Cancellation;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A cancellation that follows others until it is closed, so that they need not remember all who
 * ever listened to them. Safe for use by many threads.
 */
final class LinkedCancellation implements AutoCloseable {
  private final Cancellation own = new Cancellation();
  private final Map<Cancellation, Runnable> links = new LinkedHashMap<>();

  LinkedCancellation(Cancellation... followed) {
    for (Cancellation other : followed) {
      links.put(other, () -> other.reason().ifPresent(own::cancel));
    }
    links.forEach(Cancellation::onCancel);
  }

  Cancellation cancellation() {
    return own;
  }

  void cancel(RuntimeException why) {
    own.cancel(why);
  }

  @Override
  public void close() {
    links.forEach(Cancellation::forget);
  }
}
