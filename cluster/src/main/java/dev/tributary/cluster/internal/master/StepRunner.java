package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.rendezvous.RendezvousKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Runs registered steps of a session. Immutable.
 *
 * @param pushes whether all workers can send values to each other unasked
 */
record StepRunner(
    MasterEnvironment environment, Workers workers, String sessionHandle, boolean pushes) {
  /** Step numbers have this bit and 56 random ones, as TensorFlow's have. */
  private static final long STEP_ID_BIT = 1L << 56;

  /** A number that no other step of any session has. */
  long newStepId() {
    return STEP_ID_BIT | environment.ids().next() & STEP_ID_BIT - 1;
  }

  /** Runs a step, or a piece of one, on all its workers. The scope's end ends it, too. */
  CompletableFuture<StepResults> run(
      RegisteredStep step, long stepId, StepRequest request, StepScope scope) {
    List<KeyedTensor> send = request.keyedFeeds(step.ends().feeds());
    List<RendezvousKey> fetchKeys = request.fetchKeys(step.ends().fetchKeys());
    // Two names of the client may mean one tensor, which the rendezvous has once.
    List<RendezvousKey> receive =
        fetchKeys.size() < 2 ? fetchKeys : List.copyOf(new LinkedHashSet<>(fetchKeys));
    return PartitionRuns.run(
            environment,
            step.partitions(),
            partition -> runGraph(partition, stepId, request, send, receive),
            scope.cancellation(),
            new MissingTasks(environment, workers, stepId))
        .thenApply(responses -> new StepResults(fetchKeys, responses));
  }

  /** Returns whether the workers forget a step themselves that ended well. */
  boolean cleansUpItself(StepRequest request) {
    return pushes(request);
  }

  /** A partial run may end with values that nobody has fetched. */
  private boolean pushes(StepRequest request) {
    return pushes && request.partial() == RunGraphRequest.PartialRun.NONE;
  }

  /**
   * Lets the workers forget what is left of a step. Done when they have, or had their time; never
   * fails.
   */
  CompletableFuture<Void> cleanUp(RegisteredStep step, long stepId) {
    // Calls that are late are cancelled. A deadline of their own would start a timer on both sides,
    // which costs more than the call.
    Cancellation late = new Cancellation();
    CallOptions options = CallOptions.cancelledBy(late);
    Map<TaskName, WorkerInterface> workers = step.workers();
    return TaskCalls.gather(
            "CleanupGraph",
            workers.keySet(),
            environment.timer(),
            environment.options().closeTimeout(),
            task -> workers.get(task).cleanupGraph(stepId, options))
        .handle(
            (done, thrown) -> {
              if (thrown != null) {
                late.cancel(Failures.of(thrown));
              }
              return null;
            });
  }

  private RunGraphRequest runGraph(
      RegisteredStep.Partition partition,
      long stepId,
      StepRequest request,
      List<KeyedTensor> send,
      List<RendezvousKey> receive) {
    return new RunGraphRequest(
        sessionHandle,
        true,
        partition.graphHandle(),
        stepId,
        partition.client() ? send : List.of(),
        partition.client() ? receive : List.of(),
        request.executorOptions(),
        request.partial(),
        pushes(request),
        environment.ids().next());
  }
}
