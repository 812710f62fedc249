package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.PartialRunSetupRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.step.PartialRunProgress;
import dev.tributary.internal.step.PreparedStep;
import dev.tributary.internal.step.PreparedSteps;
import dev.tributary.internal.step.RunningSteps;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The partial steps of a session that are under way. One ends with its last piece, with the first
 * piece that fails, or with the session. Safe for use by many threads.
 */
final class PartialRuns {
  /**
   * A step that is fed and fetched piece by piece.
   *
   * @param scope its life, from its setup to its last piece
   */
  private record PartialRun(
      long stepId,
      PreparedStep<RegisteredStep> step,
      StepScope scope,
      PartialRunProgress progress) {}

  private final MasterEnvironment environment;
  private final SessionConfig config;
  private final RunningSteps running;
  private final PreparedSteps<StepKey, RegisteredStep> prepared;
  private final StepRunner runner;
  private final AtomicLong nextHandle = new AtomicLong();
  private final Map<String, PartialRun> runs = new ConcurrentHashMap<>();

  PartialRuns(
      MasterEnvironment environment,
      SessionConfig config,
      RunningSteps running,
      PreparedSteps<StepKey, RegisteredStep> prepared,
      StepRunner runner) {
    this.environment = environment;
    this.config = config;
    this.running = running;
    this.prepared = prepared;
    this.runner = runner;
  }

  /** Begins one; gives its handle. */
  CompletableFuture<String> setUp(PartialRunSetupRequest request, Cancellation caller) {
    StepKey key =
        new StepKey(request.feeds(), request.fetches(), request.targets(), true, List.of());
    Optional<Duration> limit = Optional.of(environment.options().callTimeout());
    StepScope setUp = new StepScope(running, limit, environment.timer(), caller);
    PreparedStep<RegisteredStep> step = prepared.acquire(key);
    return setUp
        .awaiting(step.step())
        .thenApply(registered -> begin(step, registered))
        .whenComplete(
            (handle, thrown) -> {
              setUp.close();
              if (thrown != null) {
                prepared.release(step);
              }
            });
  }

  /** Runs the next piece of one. */
  CompletableFuture<StepResults> run(String handle, StepRequest request, Cancellation caller) {
    PartialRun run = runs.get(handle);
    if (run == null) {
      throw TributaryException.invalidArgument(
          "Must run PartialRunSetup before performing partial runs: there is no partial run '%s'",
          handle);
    }
    StepScope scope =
        new StepScope(
            running,
            Optional.of(config.timeout(request.options(), environment.options().stepTimeout())),
            environment.timer(),
            caller,
            run.scope().cancellation());
    RunGraphRequest.PartialRun piece;
    try {
      piece =
          run.progress().take(request.feedNames(), request.fetches())
              ? RunGraphRequest.PartialRun.LAST
              : RunGraphRequest.PartialRun.MORE_TO_COME;
    } catch (TributaryException e) {
      scope.close();
      throw e;
    }
    StepRequest next =
        new StepRequest(request.feeds(), request.fetches(), piece, request.options());
    return start(run, next, scope)
        .whenComplete(
            (results, thrown) -> {
              scope.close();
              if (thrown != null || piece == RunGraphRequest.PartialRun.LAST) {
                end(handle);
              }
            });
  }

  private CompletableFuture<StepResults> start(
      PartialRun run, StepRequest request, StepScope scope) {
    try {
      return runner.run(run.step().await(), run.stepId(), request, scope);
    } catch (TributaryException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private String begin(PreparedStep<RegisteredStep> step, RegisteredStep registered) {
    String handle = Long.toString(nextHandle.getAndIncrement());
    StepScope scope = new StepScope(running, Optional.empty(), environment.timer());
    StepPlan.Ends ends = registered.ends();
    PartialRunProgress progress =
        new PartialRunProgress(ends.feeds().keySet(), ends.feedsOfFetches());
    runs.put(handle, new PartialRun(runner.newStepId(), step, scope, progress));
    scope.cancellation().onCancel(() -> end(handle));
    return handle;
  }

  private void end(String handle) {
    PartialRun run = runs.remove(handle);
    if (run != null) {
      runner
          .cleanUp(run.step().await(), run.stepId())
          .whenComplete(
              (cleaned, thrown) -> {
                run.scope().close();
                prepared.release(run.step());
              });
    }
  }
}
