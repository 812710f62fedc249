package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionRequest;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionResponse;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.internal.concurrent.Cancellation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The parts of a session that its workers hold. Immutable.
 *
 * @param tasks all that the session may use
 */
record SessionWorkers(
    MasterEnvironment environment, SessionCluster cluster, String handle, List<TaskName> tasks) {
  /**
   * Opens the session on all workers; if it fails on one, it is closed on all. Tells whether all of
   * them push tensors.
   */
  CompletableFuture<Boolean> create(
      SessionConfig config, DeviceCatalogue devices, Cancellation cancellation) {
    Duration limit = environment.options().callTimeout();
    CallOptions options = CallOptions.cancelledBy(cancellation).within(limit);
    CompletableFuture<Boolean> created =
        TaskCalls.gather(
                "CreateWorkerSession",
                tasks,
                environment.timer(),
                limit,
                task ->
                    cluster
                        .worker(task)
                        .createWorkerSession(request(task, config, devices), options))
            .thenApply(
                answers ->
                    answers.values().stream().allMatch(CreateWorkerSessionResponse::pushesTensors));
    return created
        .handle(
            (done, thrown) ->
                thrown == null
                    ? created
                    : delete(environment.options().closeTimeout())
                        .<Boolean>thenCompose(deleted -> CompletableFuture.failedFuture(thrown)))
        .thenCompose(ending -> ending);
  }

  /**
   * Closes the session on all workers. Never fails: a worker that is gone has closed it, too, and
   * one that only seems to be is told later.
   */
  CompletableFuture<Void> delete(Duration limit) {
    CallOptions options = CallOptions.defaults().within(limit);
    return TaskCalls.gather(
            "DeleteWorkerSession", tasks, environment.timer(), limit, task -> delete(task, options))
        .handle((done, thrown) -> null);
  }

  private CompletableFuture<Void> delete(TaskName task, CallOptions options) {
    WorkerInterface worker = cluster.worker(task);
    return worker
        .deleteWorkerSession(handle, options)
        .whenComplete(
            (done, thrown) -> {
              if (thrown != null) {
                new LateDeletion(environment, task, worker, handle).start();
              }
            });
  }

  private CreateWorkerSessionRequest request(
      TaskName task, SessionConfig config, DeviceCatalogue devices) {
    return new CreateWorkerSessionRequest(
        handle,
        cluster.serverDef(task),
        config.isolated(),
        config.sharesDevices() ? devices.all() : List.of(),
        cluster.self().toString(),
        devices.clientDevice().getIncarnation());
  }
}
