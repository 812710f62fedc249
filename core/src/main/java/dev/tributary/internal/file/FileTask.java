package dev.tributary.internal.file;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * A piece of work that waits for files, on its way through {@link FilePlaces}, whose monitor guards
 * its state. Its own monitor guards the thread that does it.
 */
public final class FileTask {
  enum State {
    NEW,
    WAITING,
    RUNNING,
    /** Nobody waits for it any more. It may still run. */
    LEFT,
    ENDED
  }

  private final String what;
  private final boolean interruptible;
  private final Runnable work;

  @GuardedBy("this")
  private Thread thread;

  State state = State.NEW;

  /** The part of the session whose work it is, from when it begins. */
  FilePlaces.Share share;

  /** The time when it was given to a thread. */
  long beganNanos;

  /**
   * @param what whose work it is, for messages
   * @param interruptible whether the thread is interrupted when nobody waits any more; that closes
   *     the file it reads or writes
   * @param work throws nothing
   */
  public FileTask(String what, boolean interruptible, Runnable work) {
    this.what = what;
    this.interruptible = interruptible;
    this.work = work;
  }

  /** Does the work, on this thread. */
  void run(boolean isLeft) {
    synchronized (this) {
      thread = Thread.currentThread();
    }
    if (isLeft) {
      interrupt();
    }
    try {
      work.run();
    } finally {
      synchronized (this) {
        thread = null;
      }
      Thread.interrupted(); // Meant for this work and no other.
    }
  }

  /**
   * Interrupts the thread that does the work. This waits, as the JDK does, until the thread has
   * left the system call that it is in, which may be never.
   */
  synchronized void interrupt() {
    if (interruptible && thread != null) {
      thread.interrupt();
    }
  }

  boolean isInterruptible() {
    return interruptible;
  }

  @Override
  public String toString() {
    return what;
  }
}
