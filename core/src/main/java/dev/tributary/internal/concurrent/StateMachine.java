package dev.tributary.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The lifecycle of something that several threads start, use and stop. A move names the state that
 * it expects, so that of two threads that see the same state one moves on and the other learns that
 * it is late. Thread-safe; reading the state takes no lock.
 *
 * @param <S> the states
 */
public final class StateMachine<S extends Enum<S>> {
  /** Written under the monitor. */
  private volatile S state;

  public StateMachine(S first) {
    this.state = first;
  }

  public boolean is(S wanted) {
    return state == wanted;
  }

  /** Moves between two states; returns false, and does nothing, in any other state. */
  public synchronized boolean move(S from, S to) {
    if (state != from) {
      return false;
    }
    moveTo(to);
    return true;
  }

  /** Moves from any state. */
  public synchronized void moveTo(S to) {
    state = to;
    notifyAll();
  }

  /** Waits without a limit until the state is reached. */
  public synchronized void await(S wanted) throws InterruptedException {
    while (state != wanted) {
      wait();
    }
  }

  /** Waits until the state is reached or the time is over; returns true if it is reached. */
  public synchronized boolean await(S wanted, Duration limit) throws InterruptedException {
    long start = System.nanoTime();
    long left = limit.toNanos();
    while (state != wanted && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = limit.toNanos() - (System.nanoTime() - start);
    }
    return state == wanted;
  }
}
