package dev.tributary.app.launch;

import sun.misc.Signal;

/**
 * The TERM signal, by which service managers stop a process. Java's own handling ends the process
 * with exit code 143, which they report as a failure.
 */
public final class StopSignal {
  private StopSignal() {}

  /**
   * Runs an action on TERM instead of ending the process; the action lets the main thread return.
   * Where signals belong to somebody else ({@code java -Xrs}), nothing changes.
   */
  public static void onTerm(Runnable stop) {
    try {
      Signal.handle(new Signal("TERM"), signal -> stop.run());
    } catch (IllegalArgumentException e) {
      // The virtual machine was told to leave signals alone.
    }
  }
}
