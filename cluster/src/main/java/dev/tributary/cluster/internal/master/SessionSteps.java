package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.Piece;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.CallScope;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.step.PreparedSteps;
import dev.tributary.internal.step.PreparedSteps.PreparedStep;
import dev.tributary.internal.step.RunningSteps;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.tensorflow.proto.RunOptions;

/** Prepares, runs and cleans up the steps of a session. Safe for use by many threads. */
final class SessionSteps {
  /** Step ids have this bit and 56 random ones, as TensorFlow's have. */
  private static final long STEP_ID_BIT = 1L << 56;

  private final MasterEnvironment environment;
  private final Workers workers;
  private final String sessionHandle;
  private final Duration timeout;
  private final boolean pushes;
  private final CollectiveStepIds collectiveIds;
  private final RunningSteps running;
  private final PreparedSteps<StepKey, RegisteredStep> prepared;

  /**
   * @param timeout of a step whose options have none
   * @param pushes whether all workers can send values to each other unasked
   * @param collectiveIds the ids of steps that other masters run parts of
   * @param running the steps that closing the session cancels
   */
  SessionSteps(
      MasterEnvironment environment,
      Workers workers,
      String sessionHandle,
      Duration timeout,
      boolean pushes,
      CollectiveStepIds collectiveIds,
      RunningSteps running,
      PreparedSteps<StepKey, RegisteredStep> prepared) {
    this.environment = environment;
    this.workers = workers;
    this.sessionHandle = sessionHandle;
    this.timeout = timeout;
    this.pushes = pushes;
    this.collectiveIds = collectiveIds;
    this.running = running;
    this.prepared = prepared;
  }

  /**
   * Prepares a step, unless it is prepared already, and passes it to {@code keep}; the caller
   * {@linkplain #release releases} it later.
   */
  <T> CompletableFuture<T> prepare(
      StepKey key, CallScope scope, Function<PreparedStep<RegisteredStep>, T> keep) {
    running.begin(scope.cancellation());
    scope.within(Optional.of(environment.options().callTimeout()), () -> "the step");
    PreparedStep<RegisteredStep> step = prepared.acquire(key);
    return scope
        .awaiting(step.step())
        .thenApply(registered -> keep.apply(step))
        .whenComplete(
            (kept, thrown) -> {
              running.end(scope.cancellation());
              if (thrown != null) {
                prepared.release(step);
              }
            });
  }

  void release(PreparedStep<RegisteredStep> step) {
    prepared.release(step);
  }

  /** Runs a step, and prepares it first if it is new. */
  CompletableFuture<StepResults> run(StepKey key, RunStepRequest request, CallScope scope) {
    begin(request, scope);
    return run(prepared.acquire(key), request, scope);
  }

  /** Runs a step that the caller has prepared and keeps. */
  CompletableFuture<StepResults> runPrepared(
      PreparedStep<RegisteredStep> step, RunStepRequest request, CallScope scope) {
    begin(request, scope);
    return run(prepared.acquireAgain(step), request, scope);
  }

  /**
   * Lets a step, or a piece of one, begin, which must {@link #end}. FAILED_PRECONDITION if the
   * session is closed.
   */
  void begin(RunStepRequest request, CallScope scope) {
    requireFedOnce(request.feeds());
    running.begin(scope.cancellation());
    long millis = request.options().getTimeoutInMs();
    scope.within(Optional.of(millis > 0 ? Duration.ofMillis(millis) : timeout), () -> "the step");
  }

  void end(CallScope scope) {
    running.end(scope.cancellation());
  }

  /** Returns an id that no other step of any session has. */
  long newStepId() {
    return STEP_ID_BIT | environment.ids().next() & STEP_ID_BIT - 1;
  }

  private CompletableFuture<StepResults> run(
      PreparedStep<RegisteredStep> step, RunStepRequest request, CallScope scope) {
    AtomicLong stepId = new AtomicLong();
    CompletableFuture<StepResults> result = new CompletableFuture<>();
    scope
        .awaiting(step.step())
        .thenCompose(
            registered ->
                stepId(registered.collectives(), scope)
                    .thenCompose(
                        id -> {
                          stepId.set(id);
                          return dispatch(registered, id, request, Piece.NONE, scope);
                        }))
        .whenComplete(
            (values, thrown) -> {
              if (thrown == null) {
                result.complete(values);
              } else {
                result.completeExceptionally(Failures.of(thrown));
              }
              // The client need not wait for this, but closing the session does.
              boolean isClean = thrown == null && pushes || stepId.get() == 0;
              CompletableFuture<Void> cleanUp =
                  isClean
                      ? CompletableFuture.completedFuture(null)
                      : cleanUp(step.await(), stepId.get());
              cleanUp.whenComplete(
                  (cleaned, failure) -> {
                    if (thrown != null && step.isReady()) {
                      collectiveIds.failed(step.await().collectives().graphKey());
                    }
                    end(scope);
                    prepared.release(step);
                  });
            });
    return result;
  }

  /** A new id, or the one by which other masters know the step, if they run it together. */
  private CompletableFuture<Long> stepId(CollectiveSteps collectives, CallScope scope) {
    return collectives.isWhole()
        ? CompletableFuture.completedFuture(newStepId())
        : scope.awaiting(collectiveIds.take(collectives.graphKey()));
  }

  /**
   * Runs a step, or a piece of one, on all its workers, until the scope's cancellation ends it.
   *
   * @param partial the piece of a partial run that this is
   */
  CompletableFuture<StepResults> dispatch(
      RegisteredStep step, long stepId, RunStepRequest request, Piece partial, CallScope scope) {
    List<KeyedTensor> send = step.ends().keyedFeeds(request.feeds());
    List<RendezvousKey> fetchKeys = step.ends().fetchKeys(request.fetches());
    // Two names of the client may mean one tensor, which the rendezvous has once.
    List<RendezvousKey> receive =
        fetchKeys.size() < 2 ? fetchKeys : List.copyOf(new LinkedHashSet<>(fetchKeys));
    ExecutorOptions recorded = recorded(request.options());
    return PartitionRuns.run(
            environment,
            workers,
            stepId,
            step.partitions(),
            partition ->
                new RunGraphRequest(
                    sessionHandle,
                    true,
                    partition.graphHandle(),
                    stepId,
                    partition.client() ? send : List.of(),
                    partition.client() ? receive : List.of(),
                    recorded,
                    partial,
                    // A partial run may end with values that nobody has fetched.
                    pushes && partial == Piece.NONE,
                    environment.ids().next()),
            scope)
        .thenApply(responses -> new StepResults(fetchKeys, responses));
  }

  /**
   * Lets the workers forget what is left of a step. Done when they have, or when the time for it is
   * over; never fails.
   */
  CompletableFuture<Void> cleanUp(RegisteredStep step, long stepId) {
    // Calls that are late are cancelled. A deadline of their own would start a timer on both sides,
    // which costs more than the call.
    Cancellation late = new Cancellation();
    CallOptions options = CallOptions.cancelledBy(late);
    Map<TaskName, WorkerInterface> tasks = step.workers();
    return TaskCalls.gather(
            "CleanupGraph",
            tasks.keySet(),
            environment.timer(),
            environment.options().closeTimeout(),
            task -> tasks.get(task).cleanupGraph(stepId, options))
        .handle(
            (done, thrown) -> {
              if (thrown != null) {
                late.cancel(Failures.of(thrown));
              }
              return null;
            });
  }

  private static ExecutorOptions recorded(RunOptions options) {
    boolean traced = options.getTraceLevelValue() != RunOptions.TraceLevel.NO_TRACE_VALUE;
    return traced || options.getOutputPartitionGraphs()
        ? new ExecutorOptions(false, traced, options.getOutputPartitionGraphs())
        : ExecutorOptions.none();
  }

  private static void requireFedOnce(List<NamedTensor> feeds) {
    if (feeds.size() < 2) {
      return;
    }
    Set<String> fed = new HashSet<>();
    for (NamedTensor feed : feeds) {
      if (!fed.add(feed.name())) {
        throw TributaryException.invalidArgument("%s is fed twice", feed.name());
      }
    }
  }
}
