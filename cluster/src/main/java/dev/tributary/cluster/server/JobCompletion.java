package dev.tributary.cluster.server;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.internal.worker.Worker;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the other tasks that this task's part of the work is done. Stock tasks neither tell nor
 * listen. Immutable.
 */
record JobCompletion(ServerOptions options, Worker worker, Workers cluster, Timer timer) {
  private static final Logger LOG = LoggerFactory.getLogger(JobCompletion.class);

  /** Tells the tasks of other jobs that this task is done. Never fails. */
  void tell() {
    Duration limit = options.times().close();
    CallOptions call = CallOptions.defaults().within(limit);
    CompletableFuture<?>[] notified =
        others().stream().map(task -> tell(task, call)).toArray(CompletableFuture[]::new);
    timer.completeAfter(limit, CompletableFuture.allOf(notified), null).join();
  }

  CompletableFuture<Void> whenOthersAreDone() {
    return worker.whenCompleted(others());
  }

  /** Completes when all tasks of other jobs are done, or a while after those of one job are. */
  CompletableFuture<Void> whenDone(String job, Duration grace) {
    List<TaskName> leaders = others().stream().filter(task -> task.job().equals(job)).toList();
    return worker
        .whenCompleted(leaders)
        .thenCompose(done -> timer.completeAfter(grace, whenOthersAreDone(), null));
  }

  private List<TaskName> others() {
    return options.cluster().tasks().stream()
        .filter(task -> !task.job().equals(options.task().job()))
        .toList();
  }

  private CompletableFuture<Void> tell(TaskName task, CallOptions call) {
    return cluster
        .worker(task)
        .taskCompleted(options.task(), call)
        .exceptionally(
            thrown -> {
              Throwable failure =
                  thrown instanceof CompletionException ? thrown.getCause() : thrown;
              if (!(failure instanceof TributaryException e)
                  || e.code() != ErrorCode.UNIMPLEMENTED) {
                // Often that task is done, too, and has ended.
                LOG.warn(
                    "{} is done, but could not notify {}: {}",
                    options.task(),
                    task,
                    failure.getMessage());
              }
              return null;
            });
  }
}
