package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.PartialRunSetupRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.Piece;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.CallScope;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.step.PartialRunProgress;
import dev.tributary.internal.step.PreparedSteps.PreparedStep;
import dev.tributary.internal.step.RunningSteps;
import java.util.List;
import java.util.Map;
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
   * @param cancellation of the whole step, from its setup to its last piece
   */
  private record PartialStep(
      long stepId,
      PreparedStep<RegisteredStep> step,
      Cancellation cancellation,
      PartialRunProgress progress) {}

  private final RunningSteps running;
  private final SessionSteps steps;
  private final AtomicLong nextHandle = new AtomicLong();
  private final Map<String, PartialStep> runs = new ConcurrentHashMap<>();

  /**
   * @param running the steps that closing the session cancels
   */
  PartialRuns(RunningSteps running, SessionSteps steps) {
    this.running = running;
    this.steps = steps;
  }

  /** Begins one; returns its handle. */
  CompletableFuture<String> setUp(PartialRunSetupRequest request, CallScope scope) {
    return steps.prepare(
        new StepKey(request.feeds(), request.fetches(), request.targets(), true, List.of()),
        scope,
        this::begin);
  }

  /** Runs the next piece of one. */
  CompletableFuture<StepResults> run(RunStepRequest request, CallScope scope) {
    String handle = request.partialRunHandle();
    PartialStep run = runs.get(handle);
    if (run == null) {
      throw TributaryException.invalidArgument(
          "Must run PartialRunSetup before performing partial runs: there is no partial run '%s'",
          handle);
    }
    scope.follow(run.cancellation());
    steps.begin(request, scope);
    boolean isLast;
    try {
      isLast = run.progress().take(request.feedNames(), request.fetches());
    } catch (TributaryException e) {
      steps.end(scope);
      throw e;
    }
    return start(run, request, isLast, scope)
        .whenComplete(
            (results, thrown) -> {
              steps.end(scope);
              if (thrown != null || isLast) {
                end(handle);
              }
            });
  }

  private CompletableFuture<StepResults> start(
      PartialStep run, RunStepRequest request, boolean isLast, CallScope scope) {
    try {
      return steps.dispatch(
          run.step().await(),
          run.stepId(),
          request,
          isLast ? Piece.LAST : Piece.MORE_TO_COME,
          scope);
    } catch (TributaryException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private String begin(PreparedStep<RegisteredStep> step) {
    String handle = Long.toString(nextHandle.getAndIncrement());
    Cancellation cancellation = running.begin();
    RegisteredStep.Ends ends = step.await().ends();
    PartialRunProgress progress =
        new PartialRunProgress(ends.feeds().keySet(), ends.feedsOfFetches());
    runs.put(handle, new PartialStep(steps.newStepId(), step, cancellation, progress));
    cancellation.onCancel(() -> end(handle));
    return handle;
  }

  private void end(String handle) {
    PartialStep run = runs.remove(handle);
    if (run != null) {
      steps
          .cleanUp(run.step().await(), run.stepId())
          .whenComplete(
              (cleaned, thrown) -> {
                running.end(run.cancellation());
                steps.release(run.step());
              });
    }
  }
}
