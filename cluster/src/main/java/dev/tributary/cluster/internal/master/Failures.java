package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.List;
import java.util.concurrent.CompletionException;

/** Merges failures of workers into one failure for the client. */
final class Failures {
  /** The failure of one task. */
  record TaskFailure(TaskName task, TributaryException failure) {
    /** Returns whether it only follows from something that went wrong elsewhere. */
    boolean isDerived() {
      return failure.derived() || failure.code() == ErrorCode.CANCELLED;
    }

    TributaryException located() {
      return relabelled(failure, "From " + task + ":\n" + failure.getMessage());
    }
  }

  private Failures() {}

  /** The failure itself, without the wrappers that futures put around it. */
  static TributaryException of(Throwable thrown) {
    Throwable cause = thrown;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof TributaryException known
        ? known
        : new TributaryException(ErrorCode.INTERNAL, cause.toString(), cause);
  }

  /**
   * One failure for the several that a step ended with, in the order in which they came. Those that
   * only follow from others are left out; the code is that of the first of the rest.
   */
  static TributaryException merged(List<TaskFailure> failures) {
    List<TaskFailure> roots = failures.stream().filter(f -> !f.isDerived()).toList();
    if (roots.size() > 1) {
      StringBuilder text = new StringBuilder(roots.size() + " root errors:");
      for (TaskFailure root : roots) {
        text.append("\n").append(root.failure().code()).append(": ");
        text.append(root.located().getMessage());
      }
      return relabelled(roots.get(0).failure(), text.toString());
    }
    return (roots.isEmpty() ? failures : roots).get(0).located();
  }

  private static TributaryException relabelled(TributaryException failure, String message) {
    return new TributaryException(failure.code(), message, failure);
  }
}
