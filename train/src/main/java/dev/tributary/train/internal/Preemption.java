package dev.tributary.train.internal;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;

/** Failures after which training continues in a new session, since tasks were lost or restarted. */
public final class Preemption {
  private Preemption() {}

  public static boolean isReasonOf(RuntimeException failure) {
    return failure instanceof TributaryException
        && isReasonOf(((TributaryException) failure).code());
  }

  private static boolean isReasonOf(ErrorCode code) {
    return code == ErrorCode.ABORTED || code == ErrorCode.UNAVAILABLE;
  }
}
