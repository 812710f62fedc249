package dev.tributary.internal.executor;

import dev.tributary.internal.time.Ticker;
import java.util.concurrent.Executor;

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

  /** The bytes that a node on a lent thread may have as inputs. */
  static final long LENT_BYTES = 1 << 22;

  /**
   * The same for an expensive node. A product of 128 x 784 and 784 x 512 floats, the largest of the
   * course's mlp, fits: with 64 KiB it trained 107,000 examples a second on a cluster, with this
   * limit 137,000 (AMD EPYC with AVX-512, 2026-11-19).
   */
  static final long LENT_BYTES_IF_EXPENSIVE = 1 << 21;

  /** The time of a caller's own thread, which nobody else waits for. */
  static final TimeSlice ENDLESS = new TimeSlice(Ticker.SYSTEM, false, false, 0);

  private final Ticker ticker;
  private final boolean ends;
  private final boolean isLent;
  private final long endNanos;
  private int nodes = NODES;

  private TimeSlice(Ticker ticker, boolean ends, boolean isLent, long endNanos) {
    this.ticker = ticker;
    this.ends = ends;
    this.isLent = isLent;
    this.endNanos = endNanos;
  }

  /** A slice of this thread, one of the given ones, that begins now. */
  static TimeSlice begin(Executor threads, Ticker ticker) {
    boolean isLent = threads instanceof StepThreads && ((StepThreads) threads).isLent();
    return new TimeSlice(ticker, true, isLent, ticker.nanos() + NANOS);
  }

  /** Returns whether the thread is a caller's, which must not run nodes that {@link #areMany}. */
  boolean isLent() {
    return isLent;
  }

  /** Returns whether a node with inputs of so many bytes is too much for a lent thread. */
  static boolean areMany(long inputBytes, boolean isExpensive) {
    return inputBytes > (isExpensive ? LENT_BYTES_IF_EXPENSIVE : LENT_BYTES);
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
