package dev.tributary.cluster.internal.master;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.LastHeard;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.CallScope;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.concurrent.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All partitions of a step, run at once. Ends when every worker has answered. The first failure
 * that does not follow from another cancels the rest; from then on, workers that do not answer are
 * waited for only for a grace period. Guarded by its own monitor.
 */
final class PartitionRuns {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionRuns.class);

  /** The time for tasks to report what they wait for; those of stock TensorFlow never do. */
  private static final Duration WAITS_LIMIT = Duration.ofSeconds(1);

  private final MasterEnvironment environment;
  private final Workers workers;
  private final long stepId;
  private final CallScope scope;
  private final Runnable onEarlyEnd = this::endEarly;
  private final Cancellation calls = new Cancellation();
  private final CompletableFuture<List<RunGraphResponse>> result = new CompletableFuture<>();

  @GuardedBy("this")
  private final Set<TaskName> silent = new LinkedHashSet<>();

  @GuardedBy("this")
  private final List<RunGraphResponse> responses = new ArrayList<>();

  @GuardedBy("this")
  private final List<Failures.TaskFailure> failures = new ArrayList<>();

  @GuardedBy("this")
  private boolean endedEarly;

  @GuardedBy("this")
  private Optional<TributaryException> tooLate = Optional.empty();

  @GuardedBy("this")
  private boolean ended;

  @GuardedBy("this")
  private boolean graceArmed;

  private PartitionRuns(
      MasterEnvironment environment, Workers workers, long stepId, CallScope scope) {
    this.environment = environment;
    this.workers = workers;
    this.stepId = stepId;
    this.scope = scope;
  }

  /**
   * Runs all partitions until the last has answered.
   *
   * @param scope ends all of them early; the reason is then the failure
   */
  static CompletableFuture<List<RunGraphResponse>> run(
      MasterEnvironment environment,
      Workers workers,
      long stepId,
      List<RegisteredStep.Partition> partitions,
      Function<RegisteredStep.Partition, RunGraphRequest> requests,
      CallScope scope) {
    PartitionRuns runs = new PartitionRuns(environment, workers, stepId, scope);
    runs.start(partitions, requests);
    return runs.result;
  }

  private void start(
      List<RegisteredStep.Partition> partitions,
      Function<RegisteredStep.Partition, RunGraphRequest> requests) {
    if (partitions.isEmpty()) {
      result.complete(List.of());
      return;
    }
    synchronized (this) {
      for (RegisteredStep.Partition partition : partitions) {
        silent.add(partition.task());
      }
    }
    scope.cancellation().onCancel(onEarlyEnd);
    for (RegisteredStep.Partition partition : partitions) {
      call(partition, requests.apply(partition));
    }
  }

  private void call(RegisteredStep.Partition partition, RunGraphRequest asked) {
    // Held until the worker is done with them, which may be after the step has ended for the
    // client.
    RunGraphRequest request = asked.holdingSent();
    CompletableFuture<RunGraphResponse> answer;
    try {
      answer = partition.worker().runGraph(request, CallOptions.cancelledBy(calls));
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    answer.whenComplete(
        (response, thrown) -> {
          request.send().forEach(fed -> fed.tensor().close());
          if (thrown == null) {
            succeeded(partition.task(), response);
          } else {
            failed(new Failures.TaskFailure(partition.task(), Failures.of(thrown)));
          }
        });
  }

  private void succeeded(TaskName task, RunGraphResponse response) {
    boolean late;
    boolean last;
    synchronized (this) {
      silent.remove(task);
      late = ended;
      last = silent.isEmpty();
      if (!late) {
        responses.add(response);
      }
    }
    if (late) {
      release(response);
    } else if (last) {
      end();
    }
  }

  private void failed(Failures.TaskFailure failure) {
    boolean last;
    synchronized (this) {
      silent.remove(failure.task());
      if (ended) {
        return;
      }
      failures.add(failure);
      last = silent.isEmpty();
    }
    if (last) {
      end();
    } else {
      armGracePeriod();
      if (!failure.isDerived()) {
        cancelCalls(failure.failure());
      }
    }
  }

  private void endEarly() {
    RuntimeException reason = scope.cancellation().reason().orElseThrow();
    synchronized (this) {
      if (ended) {
        return;
      }
      endedEarly = failures.stream().allMatch(Failures.TaskFailure::isDerived);
    }
    armGracePeriod();
    if (reason instanceof TributaryException late && late.code() == ErrorCode.DEADLINE_EXCEEDED) {
      describe(late)
          .thenAccept(
              described -> {
                setTooLate(described);
                cancelCalls(reason);
              });
    } else {
      cancelCalls(reason);
    }
  }

  private synchronized Collection<TaskName> unfinished() {
    return List.copyOf(silent);
  }

  private synchronized void setTooLate(TributaryException described) {
    tooLate = Optional.of(described);
  }

  /**
   * Adds to a step's failure the tasks that have not finished, when they were last heard from, and
   * what they wait for. Done soon; never fails.
   */
  private CompletableFuture<TributaryException> describe(TributaryException late) {
    Collection<TaskName> tasks = unfinished();
    CallOptions options = CallOptions.defaults().within(WAITS_LIMIT);
    return TaskCalls.gather(
            "StepWaits",
            tasks,
            environment.timer(),
            WAITS_LIMIT.multipliedBy(2),
            task ->
                workers
                    .worker(task)
                    .stepWaits(stepId, options)
                    .exceptionally(unanswered -> List.<String>of()))
        .exceptionally(unanswered -> Map.of())
        .thenApply(waits -> describe(late, tasks, waits));
  }

  private TributaryException describe(
      TributaryException late, Collection<TaskName> tasks, Map<TaskName, List<String>> waits) {
    StringBuilder text = new StringBuilder(late.getMessage());
    text.append("; not finished: ").append(LastHeard.of(workers, tasks));
    waits.forEach(
        (task, lines) ->
            lines.forEach(line -> text.append("\n").append(task).append(" waits: ").append(line)));
    text.append(
        "\nCheck why these tasks are stuck, or raise the step timeout (RunOptions.withTimeout)");
    return new TributaryException(ErrorCode.DEADLINE_EXCEEDED, text.toString(), late);
  }

  private void cancelCalls(RuntimeException why) {
    calls.cancel(
        TributaryException.derived(
            ErrorCode.CANCELLED, "the step has ended: " + why.getMessage(), why));
  }

  private void armGracePeriod() {
    synchronized (this) {
      if (graceArmed) {
        return;
      }
      graceArmed = true;
    }
    scope.after(environment.options().failureGrace(), this::giveUp);
  }

  private void giveUp() {
    if (isEnded()) {
      return;
    }
    LOG.warn(
        "a failed step ends without an answer from {} within {}",
        unfinished(),
        TimeText.of(environment.options().failureGrace()));
    end();
    cancelCalls(new TributaryException(ErrorCode.CANCELLED, "the worker did not answer in time"));
  }

  private synchronized boolean isEnded() {
    return ended;
  }

  private void end() {
    boolean complete;
    List<RunGraphResponse> received;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      complete = failures.isEmpty() && silent.isEmpty();
      received = responses;
    }
    scope.cancellation().forget(onEarlyEnd);
    if (complete) {
      result.complete(received);
    } else {
      received.forEach(PartitionRuns::release);
      result.completeExceptionally(failure());
    }
  }

  private synchronized RuntimeException failure() {
    return endedEarly || failures.isEmpty()
        ? tooLate.map(RuntimeException.class::cast).or(scope.cancellation()::reason).orElseThrow()
        : Failures.merged(failures);
  }

  private static void release(RunGraphResponse response) {
    response.received().forEach(received -> received.tensor().close());
  }
}
