package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.LastHeard;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Tells, when the time of a step is over, which tasks have not finished, when they were last heard
 * from, and what they wait for. Immutable.
 */
record MissingTasks(MasterEnvironment environment, Workers workers, long stepId) {
  /** How long tasks may take to tell; those of stock TensorFlow never do. */
  private static final Duration LIMIT = Duration.ofSeconds(1);

  /** The failure of a step that these tasks have not finished. Done soon, and never fails. */
  CompletableFuture<TributaryException> describe(
      TributaryException late, Collection<TaskName> unfinished) {
    CallOptions options = CallOptions.defaults().within(LIMIT);
    return TaskCalls.gather(
            "StepWaits",
            unfinished,
            environment.timer(),
            LIMIT.multipliedBy(2),
            task ->
                workers
                    .worker(task)
                    .stepWaits(stepId, options)
                    .exceptionally(silent -> List.<String>of()))
        .exceptionally(silent -> Map.of())
        .thenApply(waits -> describe(late, unfinished, waits));
  }

  private TributaryException describe(
      TributaryException late, Collection<TaskName> unfinished, Map<TaskName, List<String>> waits) {
    StringBuilder text = new StringBuilder(late.getMessage());
    text.append("; not finished: ").append(LastHeard.of(workers, unfinished));
    waits.forEach(
        (task, lines) ->
            lines.forEach(line -> text.append("\n").append(task).append(" waits: ").append(line)));
    text.append("\nSee what keeps these tasks, or give the step more time");
    return new TributaryException(ErrorCode.DEADLINE_EXCEEDED, text.toString(), late);
  }
}
