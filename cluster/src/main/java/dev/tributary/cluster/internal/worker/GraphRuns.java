package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.Piece;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.TaskLog;
import dev.tributary.internal.collective.Collectives;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.step.RegisteredGraph;
import dev.tributary.internal.step.RunningSteps;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Runs registered graphs, at once or piece by piece. Safe for use by many threads. */
final class GraphRuns {
  private final StepTable steps;
  private final StepSequences sequences;
  private final Timer timer;
  private final Duration abortDelay;
  private final TaskLog log;
  private final RunningSteps running = new RunningSteps();

  /**
   * The runs that are fed and fetched piece by piece, by step, until their last piece, or until the
   * step is cleaned up or its session ends.
   */
  private final Map<Long, WorkerRun> partial = new ConcurrentHashMap<>();

  GraphRuns(
      StepTable steps, StepSequences sequences, Timer timer, Duration abortDelay, TaskLog log) {
    this.steps = steps;
    this.sequences = sequences;
    this.timer = timer;
    this.abortDelay = abortDelay;
    this.log = log;
  }

  CompletableFuture<RunGraphResponse> run(
      WorkerSession session, RunGraphRequest request, CallOptions options) {
    requireKeys(request);
    boolean isLast = request.partialRun() != Piece.MORE_TO_COME;
    WorkerRun run =
        request.partialRun() == Piece.NONE ? begin(session, request) : partialRun(session, request);
    CompletableFuture<RunGraphResponse> reply;
    try {
      reply = run.exchange(request.send(), request.recvKeys(), isLast);
    } catch (RuntimeException | Error e) {
      run.fail(e);
      throw e;
    } finally {
      run.start();
    }
    if (request.partialRun() == Piece.LAST) {
      reply.whenComplete((response, failure) -> partial.remove(request.stepId()));
    }
    options.watch(
        timer,
        () -> "RunGraph of step " + request.stepId(),
        reply,
        reason -> endEarly(run, reason));
    return reply;
  }

  void cleanUp(long stepId) {
    partial.remove(stepId);
    steps.cleanUp(stepId);
  }

  /** Drops all that is left of a session's steps. */
  void abortAll(WorkerSession session, RuntimeException reason) {
    partial.values().removeIf(run -> run.isOf(session));
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
    request.send().forEach(value -> value.key().check());
    request.recvKeys().forEach(RendezvousKey::check);
  }

  /** A run that has its place in the step, but has not started. */
  private WorkerRun begin(WorkerSession session, RunGraphRequest request) {
    RegisteredGraph graph = session.enterGraph(request.graphHandle());
    try {
      long stepId = request.stepId();
      long collectiveKey = session.collectiveKey(request.graphHandle());
      StepRendezvous rendezvous = steps.begin(stepId);
      boolean pushes = request.pushesTensors();
      Cancellation cancellation = new Cancellation();
      WorkerRun run =
          new WorkerRun(
              stepId,
              graph,
              rendezvous,
              new Collectives(session.collectives(), new StepChunks(rendezvous)),
              request.executorOptions(),
              cancellation,
              () -> {
                if (collectiveKey != 0) {
                  sequences.ended(collectiveKey, stepId);
                }
                running.end(cancellation);
              },
              pushes ? () -> steps.forget(stepId) : () -> {});
      rendezvous.join(session, pushes ? Optional.of(run.graphRun()) : Optional.empty());
      running.begin(cancellation);
      // Later, so that the master has the reason of the failure from here before another task
      // reports only that its part was aborted.
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
    WorkerRun known = partial.get(request.stepId());
    if (known != null) {
      return known;
    }
    WorkerRun begun = begin(session, request);
    WorkerRun first = partial.putIfAbsent(request.stepId(), begun);
    if (first == null) {
      return begun;
    }
    begun.discard();
    return first;
  }

  private void endEarly(WorkerRun run, RuntimeException reason) {
    run.endEarly(reason);
    abortLater(run);
  }

  private Void abortLater(WorkerRun run) {
    timer.after(abortDelay, run::abort);
    return null;
  }
}
