package dev.tributary.cluster.sim;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What clients asked for and were told, and whatever of it cannot be true. A counter that never
 * crashed has at least the increments that were acknowledged and at most those that were asked for.
 */
final class Ledger {
  private final boolean faulty;
  private final int[] attempted = new int[CountingGraph.PS_COUNT];
  private final int[] acknowledged = new int[CountingGraph.PS_COUNT];
  private final boolean[] crashed = new boolean[CountingGraph.PS_COUNT];
  private final List<String> violations = new ArrayList<>();
  private boolean stopped;
  private int answers;
  private int failures;

  /**
   * @param faulty whether calls may fail for reasons that are not the client's
   */
  Ledger(boolean faulty) {
    this.faulty = faulty;
  }

  void attempt(int ps) {
    attempted[ps]++;
  }

  void acknowledge(int ps) {
    acknowledged[ps]++;
  }

  int acknowledged(int ps) {
    return acknowledged[ps];
  }

  /** The counter of a ps is lost. */
  void crash(int ps) {
    crashed[ps] = true;
  }

  /** A server stops, and cancels what clients have there. */
  void stop() {
    stopped = true;
  }

  boolean hasCrashed(int ps) {
    return crashed[ps];
  }

  /** Somebody read a counter; {@code atLeast} had been acknowledged before. */
  void read(int ps, float value, int atLeast) {
    if (!crashed[ps] && (value < atLeast || value > attempted[ps])) {
      violation(
          "counter %d is %s after %d acknowledged and %d attempted increments",
          ps, value, atLeast, attempted[ps]);
    }
  }

  void succeeded() {
    answers++;
  }

  /** A call failed, which its client may have wanted by cancelling it or limiting its time. */
  void failed(String what, Throwable thrown, boolean cancelled, boolean limited) {
    answers++;
    failures++;
    Set<ErrorCode> allowed = EnumSet.noneOf(ErrorCode.class);
    if (faulty) {
      allowed.addAll(
          EnumSet.of(ErrorCode.UNAVAILABLE, ErrorCode.ABORTED, ErrorCode.DEADLINE_EXCEEDED));
    }
    if (cancelled || stopped) {
      allowed.add(ErrorCode.CANCELLED);
    }
    if (limited) {
      allowed.add(ErrorCode.DEADLINE_EXCEEDED);
    }
    for (boolean lost : crashed) {
      if (lost) {
        allowed.add(ErrorCode.FAILED_PRECONDITION);
        allowed.add(ErrorCode.NOT_FOUND);
      }
    }
    if (!(thrown instanceof TributaryException known) || !allowed.contains(known.code())) {
      violation("%s failed with %s, allowed are %s", what, thrown, allowed);
    }
  }

  void violation(String format, Object... arguments) {
    violations.add(String.format(format, arguments));
  }

  List<String> violations() {
    return violations;
  }

  int answers() {
    return answers;
  }

  int failures() {
    return failures;
  }
}
