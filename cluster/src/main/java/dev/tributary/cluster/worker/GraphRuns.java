package dev.tributary.cluster.worker;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.cluster.protocol.NamedTensor;
import dev.tributary.cluster.protocol.RunGraphRequest;
import dev.tributary.cluster.protocol.RunGraphRequest.PartialRun;
import dev.tributary.cluster.protocol.RunGraphResponse;
import dev.tributary.cluster.protocol.TaskLog;
import dev.tributary.kernel.Cancellation;
import dev.tributary.rendezvous.RendezvousKey;
import dev.tributary.step.RegisteredGraph;
import dev.tributary.step.RunningSteps;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Runs registered graphs, at once or piece by piece. Safe for use by many threads. */
final class GraphRuns {
  private final StepTable steps;
  private final EarlyEnd earlyEnd;
  private final Duration abortDelay;
  private final TaskLog log;
  private final RunningSteps running = new RunningSteps();
  private final PartialRuns partial = new PartialRuns();

  GraphRuns(StepTable steps, EarlyEnd earlyEnd, Duration abortDelay, TaskLog log) {
    this.steps = steps;
    this.earlyEnd = earlyEnd;
    this.abortDelay = abortDelay;
    this.log = log;
  }

  CompletableFuture<RunGraphResponse> run(
      WorkerSession session, RunGraphRequest request, CallOptions options) {
    requireKeys(request);
    boolean isLast = request.partialRun() != PartialRun.MORE_TO_COME;
    WorkerRun run =
        request.partialRun() == PartialRun.NONE
            ? begin(session, request)
            : partialRun(session, request);
    CompletableFuture<RunGraphResponse> reply;
    try {
      reply = run.exchange(request.send(), request.recvKeys(), isLast);
    } catch (RuntimeException | Error e) {
      run.fail(e);
      throw e;
    } finally {
      run.start();
    }
    if (request.partialRun() == PartialRun.LAST) {
      reply.whenComplete((response, failure) -> partial.forget(request.stepId()));
    }
    earlyEnd.watch(
        () -> "RunGraph of step " + request.stepId(),
        options,
        reply,
        reason -> endEarly(run, reason));
    return reply;
  }

  void cleanUp(long stepId) {
    partial.forget(stepId);
    steps.cleanUp(stepId);
  }

  /** Drops all that is left of a session's steps. */
  void abortAll(WorkerSession session, RuntimeException reason) {
    partial.forgetAll(session);
    steps.abortAll(session, reason);
  }

  /** Lets no run begin any more, and ends those that have. */
  void close(RuntimeException reason) {
    running.close(() -> reason, reason);
  }

  /** Waits for the last run to end; returns how many are left when the time is over. */
  int awaitNone(Duration limit) {
    return running.awaitNone(limit);
  }

  private static void requireKeys(RunGraphRequest request) {
    for (NamedTensor value : request.send()) {
      RendezvousKey.parse(value.name());
    }
    for (String key : request.recvKeys()) {
      RendezvousKey.parse(key);
    }
  }

  /** A run that has its place in the step, but has not started. */
  private WorkerRun begin(WorkerSession session, RunGraphRequest request) {
    RegisteredGraph graph = session.enterGraph(request.graphHandle());
    try {
      long stepId = request.stepId();
      StepRendezvous rendezvous = steps.begin(stepId);
      boolean pushes = request.pushesTensors();
      Cancellation cancellation = new Cancellation();
      WorkerRun run =
          new WorkerRun(
              stepId,
              graph,
              rendezvous,
              RunRecord.of(graph, request.executorOptions()),
              cancellation,
              () -> running.end(cancellation),
              pushes ? () -> steps.forget(stepId) : () -> {});
      rendezvous.join(
          session,
          pushes
              ? Optional.of(new TensorPushes(stepId, session.peers(), run.stepEnd()))
              : Optional.empty());
      running.begin(cancellation);
      // Later, so that the master has heard from here why the step failed before another task tells
      // it only that its part was aborted.
      run.end()
          .exceptionally(
              failure -> {
                log.failed(failure);
                return abortLater(run);
              });
      return run;
    } catch (RuntimeException | Error e) {
      graph.leave();
      throw e;
    }
  }

  /** The run that this is a piece of. The first piece begins it; pieces may come side by side. */
  private WorkerRun partialRun(WorkerSession session, RunGraphRequest request) {
    Optional<WorkerRun> known = partial.find(request.stepId());
    if (known.isPresent()) {
      return known.get();
    }
    WorkerRun begun = begin(session, request);
    WorkerRun first = partial.findOrAdd(request.stepId(), begun);
    if (first != begun) {
      begun.discard();
    }
    return first;
  }

  private void endEarly(WorkerRun run, RuntimeException reason) {
    run.endEarly(reason);
    abortLater(run);
  }

  private Void abortLater(WorkerRun run) {
    earlyEnd.after(abortDelay, run::abort);
    return null;
  }
}
