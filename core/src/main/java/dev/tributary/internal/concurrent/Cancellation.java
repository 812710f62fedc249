package dev.tributary.internal.concurrent;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Ends all waits of a step when the step is over. Guarded by its own monitor; callbacks run outside
 * of it, on the thread that cancels, or at once when it is already cancelled.
 */
public final class Cancellation {
  /** Null until there is one, since many calls end without. */
  @GuardedBy("this")
  private Set<Runnable> callbacks;

  private volatile RuntimeException reason;

  /** The reason for which the step was cancelled, if it was. */
  public Optional<RuntimeException> reason() {
    return Optional.ofNullable(reason);
  }

  public boolean isCancelled() {
    return reason != null;
  }

  /** Cancels; the first reason is kept. Returns whether this call was the first. */
  public boolean cancel(RuntimeException why) {
    Set<Runnable> toRun;
    synchronized (this) {
      if (reason != null) {
        return false;
      }
      reason = why;
      toRun = callbacks;
      callbacks = null;
    }
    if (toRun != null) {
      toRun.forEach(Runnable::run);
    }
    return true;
  }

  /**
   * Calls {@code callback} when this is cancelled, unless it is {@link #forget forgotten} first.
   */
  public void onCancel(Runnable callback) {
    synchronized (this) {
      if (reason == null) {
        if (callbacks == null) {
          callbacks = new LinkedHashSet<>();
        }
        callbacks.add(callback);
        return;
      }
    }
    callback.run();
  }

  public synchronized void forget(Runnable callback) {
    if (callbacks != null) {
      callbacks.remove(callback);
    }
  }
}
