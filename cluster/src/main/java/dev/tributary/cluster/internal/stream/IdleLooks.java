package dev.tributary.cluster.internal.stream;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Looks now and then for memory that nobody uses, for as long as there is any. Safe for use by many
 * threads.
 */
final class IdleLooks {
  private static final long PAUSE_SECONDS = 10;

  /** The pause between two looks. */
  static final Executor PAUSE = CompletableFuture.delayedExecutor(PAUSE_SECONDS, TimeUnit.SECONDS);

  private final Executor later;
  private final BooleanSupplier look;
  private final AtomicBoolean looking = new AtomicBoolean();

  /**
   * @param later runs the next look after a pause
   * @param look returns whether another one is needed
   */
  IdleLooks(Executor later, BooleanSupplier look) {
    this.later = later;
    this.look = look;
  }

  /** To be called whenever there is something to look after. */
  void begin() {
    if (!looking.get() && looking.compareAndSet(false, true)) {
      later.execute(this::look);
    }
  }

  private void look() {
    looking.set(false);
    if (look.getAsBoolean()) {
      begin();
    }
  }
}
