package dev.tributary.internal.executor;

import dev.tributary.internal.time.Ticker;

/**
 * The time that a step may keep a thread of the pool before it goes to the end of the queue, so
 * that steps which run for long, or for ever, do not keep others from running. The clock is looked
 * at after some nodes only, and after expensive ones. Confined to one thread, but for the endless
 * one, which never changes.
 */
final class TimeSlice {
  /**
   * Long beside the microseconds that a change of steps takes, short for who waits behind many
   * others.
   */
  static final long NANOS = 5_000_000;

  /** Nodes between two looks at the clock: 25 ns for each look are 2 ns for each node. */
  static final int NODES = 16;

  /** The time of a caller's own thread, which nobody else waits for. */
  static final TimeSlice ENDLESS = new TimeSlice(Ticker.SYSTEM, false, 0);

  private final Ticker ticker;
  private final boolean ends;
  private final long endNanos;
  private int nodes = NODES;

  private TimeSlice(Ticker ticker, boolean ends, long endNanos) {
    this.ticker = ticker;
    this.ends = ends;
    this.endNanos = endNanos;
  }

  /** A slice that begins now. */
  static TimeSlice begin(Ticker ticker) {
    return new TimeSlice(ticker, true, ticker.nanos() + NANOS);
  }

  /** Returns whether to make room for others; to be asked after each node. */
  boolean isOver(boolean wasExpensive) {
    return ends && (--nodes == 0 || wasExpensive) && isOverByTheClock();
  }

  private boolean isOverByTheClock() {
    nodes = NODES;
    return ticker.nanos() - endNanos >= 0;
  }
}
