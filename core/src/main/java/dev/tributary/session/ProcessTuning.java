package dev.tributary.session;

import dev.tributary.internal.kernel.onednn.SpinLimit;

/**
 * Settings of the whole process that make Tributary faster. The library changes nothing of its
 * process unasked; a program that has the process to itself, as the {@code tributary} command has,
 * asks for these settings before it uses anything else:
 *
 * <ul>
 *   <li>oneDNN's threads wait for each other for a shorter time before they sleep, so that other
 *       threads on the same cores get their turn ({@code GOMP_SPINCOUNT} in the environment of
 *       native code).
 *   <li>Netty's buffers offer no events to Java's Flight Recorder, which would be set up with the
 *       first of them (the system property {@code io.netty.jfr.enabled}).
 * </ul>
 *
 * <p>Whatever the environment or a system property says already stays as it is.
 */
public final class ProcessTuning {
  private static final String NETTY_EVENTS = "io.netty.jfr.enabled";

  private ProcessTuning() {}

  /** Applies the settings. What was used before keeps those that it began with. */
  public static void apply() {
    SpinLimit.request();
    if (System.getProperty(NETTY_EVENTS) == null) {
      System.setProperty(NETTY_EVENTS, "false");
    }
  }
}
