package dev.tributary.app.launch;

import sun.misc.Signal;

/**
 * The signals that stop a process: TERM, which service managers send, and INT. Java's own handling
 * ends the process with exit code 143 or 130, while this thread or that is still busy.
 */
public final class StopSignal {
  private StopSignal() {}

  /**
   * Runs an action on TERM instead of ending the process; the action lets the main thread return.
   * Where signals belong to somebody else ({@code java -Xrs}), nothing changes.
   */
  public static void onTerm(Runnable stop) {
    on("TERM", stop);
  }

  /** Runs an action on INT, which Ctrl-C sends, instead of ending the process. */
  public static void onInterrupt(Runnable stop) {
    on("INT", stop);
  }

  private static void on(String name, Runnable stop) {
    try {
      Signal.handle(new Signal(name), signal -> stop.run());
    } catch (IllegalArgumentException e) {
      // The virtual machine was told to leave signals alone.
    }
  }
}
