package dev.tributary.cluster.internal.master;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CallScope;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.concurrent.TimeText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All partitions of a step, run at once. Ends when every worker has answered. The first failure
 * that does not follow from another cancels the rest; from then on a worker that says nothing is
 * waited for only so long. Guarded by its own monitor.
 */
final class PartitionRuns {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionRuns.class);

  private final MasterEnvironment environment;
  private final Cancellation step;
  private final MissingTasks missing;
  private final CallScope scope;
  private final Cancellation calls = new Cancellation();
  private final CompletableFuture<List<RunGraphResponse>> result = new CompletableFuture<>();

  @GuardedBy("this")
  private final Set<TaskName> silent = new LinkedHashSet<>();

  @GuardedBy("this")
  private final List<RunGraphResponse> responses = new ArrayList<>();

  @GuardedBy("this")
  private final List<Failures.TaskFailure> failures = new ArrayList<>();

  @GuardedBy("this")
  private boolean stoppedByStep;

  @GuardedBy("this")
  private Optional<TributaryException> tooLate = Optional.empty();

  @GuardedBy("this")
  private boolean ended;

  @GuardedBy("this")
  private boolean isLimited;

  private PartitionRuns(MasterEnvironment environment, Cancellation step, MissingTasks missing) {
    this.environment = environment;
    this.missing = missing;
    this.step = step;
    this.scope = new CallScope(environment.timer(), this::stopByStep);
  }

  /**
   * Runs all partitions until the last has answered.
   *
   * @param step ends all of them early; its reason is then the failure
   * @param missing tells more of that reason if it is that time is over
   */
  static CompletableFuture<List<RunGraphResponse>> run(
      MasterEnvironment environment,
      List<RegisteredStep.Partition> partitions,
      Function<RegisteredStep.Partition, RunGraphRequest> requests,
      Cancellation step,
      MissingTasks missing) {
    PartitionRuns runs = new PartitionRuns(environment, step, missing);
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
    scope.follow(step);
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
      waitNotForEver();
      if (!failure.isDerived()) {
        cancelCalls(failure.failure());
      }
    }
  }

  private void stopByStep(RuntimeException reason) {
    synchronized (this) {
      stoppedByStep = failures.stream().allMatch(Failures.TaskFailure::isDerived);
    }
    waitNotForEver();
    if (reason instanceof TributaryException late && late.code() == ErrorCode.DEADLINE_EXCEEDED) {
      missing
          .describe(late, unfinished())
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

  private void cancelCalls(RuntimeException why) {
    calls.cancel(
        TributaryException.derived(
            ErrorCode.CANCELLED, "the step has ended: " + why.getMessage(), why));
  }

  private void waitNotForEver() {
    if (limit()) {
      scope.after(environment.options().failureGrace(), this::giveUp);
    }
  }

  private synchronized boolean limit() {
    boolean first = !isLimited;
    isLimited = true;
    return first;
  }

  private void giveUp() {
    LOG.warn(
        "a failed step ends without an answer from {} within {}",
        silentTasks(),
        TimeText.of(environment.options().failureGrace()));
    end();
    cancelCalls(new TributaryException(ErrorCode.CANCELLED, "the worker did not answer in time"));
  }

  private synchronized String silentTasks() {
    return silent.toString();
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
    scope.close();
    if (complete) {
      result.complete(received);
    } else {
      received.forEach(PartitionRuns::release);
      result.completeExceptionally(failure());
    }
  }

  private synchronized RuntimeException failure() {
    return stoppedByStep || failures.isEmpty()
        ? tooLate.map(RuntimeException.class::cast).or(step::reason).orElseThrow()
        : Failures.merged(failures);
  }

  private static void release(RunGraphResponse response) {
    response.received().forEach(received -> received.tensor().close());
  }
}
