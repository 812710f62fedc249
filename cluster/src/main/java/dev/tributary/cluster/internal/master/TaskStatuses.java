package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.LastHeard;
import dev.tributary.cluster.internal.protocol.ListTasksRequest;
import dev.tributary.cluster.internal.protocol.TaskStatus;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.tensorflow.proto.DeviceAttributes;

/**
 * Asks tasks for their devices and reports those that do not answer. Unlike {@link
 * DeviceDiscovery}, does not wait for tasks that are down. Immutable.
 */
record TaskStatuses(
    MasterEnvironment environment, Workers workers, Duration limit, Cancellation cancellation) {
  /** A task that has just come up is found by the next attempt to connect, within this time. */
  private static final Duration RECONNECT = Duration.ofSeconds(1);

  private static final Duration PAUSE = Duration.ofMillis(200);

  /** The statuses of the tasks that the request asks for, in order. Never fails. */
  static CompletableFuture<List<TaskStatus>> ask(
      MasterEnvironment environment,
      SessionCluster cluster,
      ListTasksRequest request,
      Cancellation cancellation) {
    TaskStatuses statuses =
        new TaskStatuses(environment, cluster.workers(), request.limit(), cancellation);
    List<CompletableFuture<TaskStatus>> answers =
        cluster.tasks(DeviceFilters.parse(request.deviceFilters())).stream()
            .map(statuses::ask)
            .toList();
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
  }

  private CompletableFuture<TaskStatus> ask(TaskName task) {
    long start = environment.timer().nanos();
    CompletableFuture<List<DeviceAttributes>> devices = new CompletableFuture<>();
    attempt(task, start, devices);
    return environment
        .timer()
        .limit(devices, limit, () -> late(task))
        .handle(
            (found, thrown) ->
                thrown == null
                    ? new TaskStatus(task, DeviceCatalogue.renamed(task, found), Optional.empty())
                    : new TaskStatus(
                        task, List.of(), Optional.of(fault(task, Failures.of(thrown)))));
  }

  private void attempt(
      TaskName task, long start, CompletableFuture<List<DeviceAttributes>> devices) {
    CompletableFuture<List<DeviceAttributes>> answer;
    try {
      answer = workers.worker(task).getStatus(CallOptions.cancelledBy(cancellation).within(limit));
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    answer.whenComplete(
        (found, thrown) -> {
          if (thrown == null) {
            devices.complete(found);
          } else if (Failures.of(thrown).code() == ErrorCode.UNAVAILABLE
              && environment.timer().since(start).compareTo(RECONNECT) < 0
              && !devices.isDone()) {
            environment
                .timer()
                .after(
                    PAUSE,
                    () -> environment.executor().execute(() -> attempt(task, start, devices)));
          } else {
            devices.completeExceptionally(thrown);
          }
        });
  }

  private TributaryException late(TaskName task) {
    return new TributaryException(
        ErrorCode.DEADLINE_EXCEEDED,
        String.format(
            "no answer within %d ms; last heard from %s%s",
            limit.toMillis(),
            LastHeard.text(workers.lastHeard(task)),
            workers.lastFailure(task).map(why -> ": " + why).orElse("")));
  }

  private static String fault(TaskName task, TributaryException failure) {
    String text = failure.getMessage();
    return text.startsWith(task.toString()) ? text : task + ": " + text;
  }
}
