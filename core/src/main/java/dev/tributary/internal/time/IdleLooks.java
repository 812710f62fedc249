package dev.tributary.internal.time;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Looks now and then for memory that nobody uses, for as long as there is any. Safe for use by many
 * threads.
 */
public final class IdleLooks {
  /** The time between two looks. */
  public static final Duration PAUSE = Duration.ofSeconds(10);

  private final Timer timer;
  private final BooleanSupplier look;
  private final AtomicBoolean looking = new AtomicBoolean();

  /**
   * @param look returns whether another one is needed
   */
  public IdleLooks(Timer timer, BooleanSupplier look) {
    this.timer = timer;
    this.look = look;
  }

  /** To be called whenever there is something to look after. */
  public void begin() {
    if (!looking.get() && looking.compareAndSet(false, true)) {
      timer.after(PAUSE, this::look);
    }
  }

  private void look() {
    looking.set(false);
    if (look.getAsBoolean()) {
      begin();
    }
  }
}
