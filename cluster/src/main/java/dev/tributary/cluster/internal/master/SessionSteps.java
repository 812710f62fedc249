package dev.tributary.cluster.internal.master;

import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.step.PreparedStep;
import dev.tributary.internal.step.PreparedSteps;
import dev.tributary.internal.step.RunningSteps;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The whole steps of a session, from a kind of step to its results. Safe for use by many threads.
 */
final class SessionSteps {
  private final MasterEnvironment environment;
  private final SessionConfig config;
  private final RunningSteps running;
  private final PreparedSteps<StepKey, RegisteredStep> prepared;
  private final StepRunner runner;

  SessionSteps(
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

  /** Runs a step of a kind, which is prepared first if it is new. */
  CompletableFuture<StepResults> run(StepKey key, StepRequest request, Cancellation caller) {
    return run(begin(request, caller), prepared.acquire(key), request);
  }

  /** Runs a step of a kind that the caller has acquired and keeps. */
  CompletableFuture<StepResults> run(
      PreparedStep<RegisteredStep> step, StepRequest request, Cancellation caller) {
    StepScope scope = begin(request, caller);
    return run(scope, prepared.acquireAgain(step), request);
  }

  private StepScope begin(StepRequest request, Cancellation caller) {
    Duration limit = config.timeout(request.options(), environment.options().stepTimeout());
    return new StepScope(running, Optional.of(limit), environment.timer(), caller);
  }

  private CompletableFuture<StepResults> run(
      StepScope scope, PreparedStep<RegisteredStep> step, StepRequest request) {
    long stepId = runner.newStepId();
    CompletableFuture<StepResults> result = new CompletableFuture<>();
    scope
        .awaiting(step.step())
        .thenCompose(registered -> runner.run(registered, stepId, request, scope))
        .whenComplete(
            (values, thrown) -> {
              if (thrown == null) {
                result.complete(values);
              } else {
                result.completeExceptionally(Failures.of(thrown));
              }
              // The client need not wait for this, but closing the session does.
              CompletableFuture<Void> cleanUp =
                  thrown == null && runner.cleansUpItself(request)
                      ? CompletableFuture.completedFuture(null)
                      : cleanUp(step, stepId);
              cleanUp.whenComplete(
                  (cleaned, failure) -> {
                    scope.close();
                    prepared.release(step);
                  });
            });
    return result;
  }

  private CompletableFuture<Void> cleanUp(PreparedStep<RegisteredStep> step, long stepId) {
    return step.isReady()
        ? runner.cleanUp(step.await(), stepId)
        : CompletableFuture.completedFuture(null);
  }
}
