package dev.tributary.cluster.internal.stream;

import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Ends a connection whose other side stops in the middle of a message, either way. Without it a
 * machine that is gone would hold a half-written tensor for as long as its system retransmits.
 */
final class StallWatch implements AutoCloseable {
  /** Half of the time that a message may stand still. */
  static final Duration LOOK = Duration.ofSeconds(15);

  /** The value of a position when there is nothing under way. */
  static final long IDLE = -1;

  private final LongSupplier position;
  private final Runnable onStall;
  private final Timer.Alarm looks;
  private long seen = IDLE;
  private int stalledLooks;

  /**
   * @param position the progress of the message under way has got; {@link #IDLE} between messages
   */
  StallWatch(Timer timer, LongSupplier position, Runnable onStall) {
    this.position = position;
    this.onStall = onStall;
    this.looks = timer.every(LOOK, this::look);
  }

  private boolean look() {
    long now = position.getAsLong();
    stalledLooks = now != IDLE && now == seen ? stalledLooks + 1 : 0;
    seen = now;
    if (stalledLooks < 2) {
      return true;
    }
    onStall.run();
    return false;
  }

  @Override
  public void close() {
    looks.cancel();
  }
}
