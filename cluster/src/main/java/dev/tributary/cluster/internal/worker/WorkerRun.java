package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.executor.StepTracer;
import dev.tributary.internal.kernel.CallFrame;
import dev.tributary.internal.kernel.CollectiveExecutor;
import dev.tributary.internal.plan.wire.StepGraphDefs;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.session.wire.StepStatsProtos;
import dev.tributary.internal.step.GraphRun;
import dev.tributary.internal.step.RegisteredGraph;
import dev.tributary.internal.step.RunReply;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.StepStats;

/**
 * This task's part of a step: the run of a registered graph, and the calls that put values into it
 * and take others out. The first failure ends all devices; what other tasks wait for is left to
 * {@link #abort}. Safe for use by many threads.
 */
final class WorkerRun {
  private final long stepId;
  private final RegisteredGraph graph;
  private final StepRendezvous rendezvous;
  private final Optional<StepTracer> tracer;
  private final List<GraphDef> partitionGraphs;
  private final Runnable onEnd;
  private final Runnable onSuccess;
  private final GraphRun graphRun;
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  /**
   * @param graph which the caller has entered; the run leaves it when it has ended
   * @param recorded what the answers report of the run
   * @param onEnd called when all devices have ended, before {@link #end} is done
   * @param onSuccess called before an answer of a run that has ended well
   */
  WorkerRun(
      long stepId,
      RegisteredGraph graph,
      StepRendezvous rendezvous,
      CollectiveExecutor collectives,
      ExecutorOptions recorded,
      Cancellation cancellation,
      Runnable onEnd,
      Runnable onSuccess) {
    this.stepId = stepId;
    this.graph = graph;
    this.rendezvous = rendezvous;
    this.tracer = recorded.recordTimeline() ? Optional.of(new StepTracer()) : Optional.empty();
    this.partitionGraphs =
        recorded.recordPartitionGraphs()
            ? graph.partitions().stream().map(StepGraphDefs::toProto).toList()
            : List.of();
    this.onEnd = onEnd;
    this.onSuccess = onSuccess;
    this.graphRun =
        new GraphRun(
            stepId,
            graph,
            CallFrame.empty(),
            rendezvous,
            collectives,
            tracer,
            cancellation,
            this::ended);
  }

  /** Counts the parts and transfers that end before the run does. */
  GraphRun graphRun() {
    return graphRun;
  }

  /**
   * Puts values into the step and takes others out.
   *
   * @param isLast whether the answer waits for the end of the graph
   */
  CompletableFuture<RunGraphResponse> exchange(
      List<KeyedTensor> send, List<RendezvousKey> recvKeys, boolean isLast) {
    for (KeyedTensor value : send) {
      rendezvous.send(value.key(), Optional.of(value.tensor().retain()));
    }
    RunReply reply = new RunReply(recvKeys, isLast);
    CompletableFuture<RunGraphResponse> response =
        reply.result().thenApply(values -> response(recvKeys, values));
    reply.receiveFrom(rendezvous);
    end.whenComplete(
        (nothing, failure) -> reply.ended(Optional.ofNullable((RuntimeException) failure)));
    return response;
  }

  /** Starts the graph, if nobody has. */
  void start() {
    graphRun.startOnPool();
  }

  /** Done when all devices have ended; fails with the first failure. */
  CompletableFuture<Void> end() {
    return end.copy();
  }

  boolean isOf(WorkerSession session) {
    return rendezvous.isOf(session);
  }

  /** Ends the step with an error, here and for other tasks. */
  void fail(Throwable error) {
    endEarly(
        error instanceof RuntimeException
            ? (RuntimeException) error
            : TributaryException.internal("step %d: %s", stepId, error));
    abort();
  }

  /** Gives back a run that was not started. */
  void discard() {
    graph.leave();
    onEnd.run();
  }

  /** Ends the devices. */
  void endEarly(RuntimeException reason) {
    graphRun.cancellation().cancel(reason);
  }

  /** Fails all that any task waits for in this step. */
  void abort() {
    rendezvous.cancel(graphRun.cancellation().reason().orElseThrow());
  }

  private RunGraphResponse response(List<RendezvousKey> keys, List<Tensor> values) {
    List<KeyedTensor> keyed = new ArrayList<>(values.size());
    for (int i = 0; i < values.size(); i++) {
      keyed.add(new KeyedTensor(keys.get(i), values.get(i)));
    }
    onSuccess.run();
    StepStats stats =
        tracer.isPresent()
            ? StepStatsProtos.toProto(tracer.get().trace())
            : StepStats.getDefaultInstance();
    return new RunGraphResponse(keyed, stats, partitionGraphs);
  }

  private void ended(Optional<RuntimeException> failure) {
    graph.leave();
    onEnd.run();
    if (failure.isPresent()) {
      end.completeExceptionally(failure.get());
    } else {
      end.complete(null);
    }
  }
}
