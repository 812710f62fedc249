package dev.tributary.cluster.internal.master;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The same call to several tasks at once. Done when all have answered or had their time; guarded by
 * its own monitor.
 *
 * @param <T> what a task answers
 */
final class TaskCalls<T> {
  private final String method;

  @GuardedBy("this")
  private final Map<TaskName, T> answers = new TreeMap<>();

  @GuardedBy("this")
  private final List<Failures.TaskFailure> failures = new ArrayList<>();

  private final CompletableFuture<Map<TaskName, T>> result = new CompletableFuture<>();

  @GuardedBy("this")
  private int waiting;

  private TaskCalls(String method, int tasks) {
    this.method = method;
    this.waiting = tasks;
  }

  /**
   * Calls all tasks. If one fails, so does the result, when all have answered; the message says
   * which task.
   *
   * @param limit after which a task that says nothing counts as failed
   */
  static <T> CompletableFuture<Map<TaskName, T>> gather(
      String method,
      Collection<TaskName> tasks,
      Timer timer,
      Duration limit,
      Function<TaskName, CompletableFuture<T>> call) {
    TaskCalls<T> calls = new TaskCalls<>(method, tasks.size());
    if (tasks.isEmpty()) {
      calls.end();
    }
    for (TaskName task : tasks) {
      CompletableFuture<T> answer;
      try {
        // A copy, since a limit that ends it must not end what the callee still works on.
        answer = call.apply(task).copy();
      } catch (RuntimeException e) {
        answer = CompletableFuture.failedFuture(e);
      }
      timer
          .limit(answer, limit, () -> calls.silent(task, limit))
          .whenComplete((value, thrown) -> calls.answered(task, value, thrown));
    }
    return calls.result;
  }

  private TributaryException silent(TaskName task, Duration limit) {
    return new TributaryException(
        ErrorCode.DEADLINE_EXCEEDED,
        String.format("%s of %s had no answer within %s", method, task, TimeText.of(limit)));
  }

  private void answered(TaskName task, T value, Throwable thrown) {
    synchronized (this) {
      if (thrown != null) {
        failures.add(new Failures.TaskFailure(task, Failures.of(thrown)));
      } else if (value != null) {
        answers.put(task, value);
      }
      if (--waiting > 0) {
        return;
      }
    }
    end();
  }

  /** Completes the result; no task is asked or answers any more. */
  private void end() {
    Map<TaskName, T> answered;
    Optional<TributaryException> failure;
    synchronized (this) {
      answered = answers;
      failure = failures.isEmpty() ? Optional.empty() : Optional.of(Failures.merged(failures));
    }
    failure.ifPresentOrElse(result::completeExceptionally, () -> result.complete(answered));
  }
}
