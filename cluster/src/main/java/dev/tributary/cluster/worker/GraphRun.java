package dev.tributary.cluster.worker;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.cluster.protocol.NamedTensor;
import dev.tributary.cluster.protocol.PushTensorRequest;
import dev.tributary.cluster.protocol.RunGraphResponse;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.executor.ExecutableGraph;
import dev.tributary.kernel.CallFrame;
import dev.tributary.kernel.Cancellation;
import dev.tributary.kernel.Step;
import dev.tributary.rendezvous.RendezvousKey;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One step of a registered graph, on all of its devices. The first failure ends them all; what
 * other tasks wait for is left to {@link #abort}. Safe for use by many threads.
 */
final class GraphRun implements StepRendezvous.Pusher {
  private final long stepId;
  private final RegisteredGraph graph;
  private final StepRendezvous rendezvous;
  private final Peers peers;
  private final RunRecord record;
  private final Consumer<GraphRun> onEnd;
  private final Runnable onSuccess;
  private final Cancellation cancellation = new Cancellation();
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicInteger unfinished;
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  /**
   * @param graph which the caller has entered; the run leaves it when it has ended
   * @param peers whom values are pushed to
   * @param onEnd called when all executors have ended, before anybody is told
   * @param onSuccess called before the caller is told that the run has ended well
   */
  GraphRun(
      long stepId,
      RegisteredGraph graph,
      StepRendezvous rendezvous,
      Peers peers,
      RunRecord record,
      Consumer<GraphRun> onEnd,
      Runnable onSuccess) {
    this.stepId = stepId;
    this.graph = graph;
    this.rendezvous = rendezvous;
    this.peers = peers;
    this.record = record;
    this.onEnd = onEnd;
    this.onSuccess = onSuccess;
    // One more than there are executors, as a graph may be empty.
    this.unfinished = new AtomicInteger(graph.executables().size() + 1);
  }

  /**
   * Puts values into the step and takes others out.
   *
   * @param isLast whether the answer waits for the end of the graph
   */
  CompletableFuture<RunGraphResponse> exchange(
      List<NamedTensor> send, List<String> recvKeys, boolean isLast) {
    for (NamedTensor value : send) {
      rendezvous.send(value.name(), Optional.of(value.tensor().retain()));
    }
    RunReply reply =
        new RunReply(
            recvKeys,
            isLast,
            values -> {
              onSuccess.run();
              return record.response(values);
            });
    reply.receiveFrom(rendezvous);
    end.whenComplete(
        (nothing, failure) -> reply.ended(Optional.ofNullable((RuntimeException) failure)));
    return reply.result();
  }

  /** Starts the executors, if nobody has. */
  void start() {
    if (!started.compareAndSet(false, true)) {
      return;
    }
    for (ExecutableGraph executable : graph.executables()) {
      Step step = new Step(stepId, cancellation, CallFrame.empty(), rendezvous);
      graph.executor().prepare(executable, step, record.tracer(), this::partEnded).startOnPool();
    }
    partEnded(Optional.empty());
  }

  /** The run does not end before the value has gone, and fails if it cannot go. */
  @Override
  public void push(String key, String recvDevice, Optional<Tensor> value) {
    unfinished.incrementAndGet();
    CompletableFuture<Void> sent;
    try {
      sent =
          peers
              .ofDevice(recvDevice)
              .worker()
              .pushTensor(
                  new PushTensorRequest(stepId, key, value), CallOptions.cancelledBy(cancellation));
    } catch (RuntimeException e) {
      sent = CompletableFuture.failedFuture(e);
    }
    sent.whenComplete(
        (done, thrown) -> {
          value.ifPresent(Tensor::close);
          partEnded(Optional.ofNullable(thrown).map(failure -> notPushed(key, failure)));
        });
  }

  @Override
  public Optional<Tensor> allocateFor(String recvDevice, DataType type, Shape shape) {
    return peers.ofDevice(recvDevice).worker().allocate(type, shape);
  }

  private static RuntimeException notPushed(String key, Throwable thrown) {
    Throwable failure = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    RendezvousKey parsed = RendezvousKey.parse(key);
    String where =
        "PushTensor of '" + parsed.tensorName() + "' to " + TaskName.ofDevice(parsed.recvDevice());
    return failure instanceof TributaryException
        ? ((TributaryException) failure).at(where)
        : new TributaryException(ErrorCode.INTERNAL, where + ": " + failure, failure);
  }

  /** Done when all executors have ended; fails with the first failure. */
  CompletableFuture<Void> end() {
    return end.copy();
  }

  boolean isOf(WorkerSession session) {
    return rendezvous.isOf(session);
  }

  /** Ends the step with an error, here and for other tasks. */
  void fail(Throwable error) {
    cancellation.cancel(
        error instanceof RuntimeException
            ? (RuntimeException) error
            : TributaryException.internal("step %d: %s", stepId, error));
    abort();
  }

  /** Gives back a run that was not started. */
  void discard() {
    graph.leave();
    onEnd.accept(this);
  }

  /** Ends the executors. */
  void endEarly(RuntimeException reason) {
    cancellation.cancel(reason);
  }

  /** Fails all that any task waits for in this step. */
  void abort() {
    rendezvous.cancel(cancellation.reason().orElseThrow());
  }

  private void partEnded(Optional<RuntimeException> failure) {
    failure.ifPresent(cancellation::cancel);
    if (unfinished.decrementAndGet() > 0) {
      return;
    }
    graph.leave();
    onEnd.accept(this);
    Optional<RuntimeException> first = cancellation.reason();
    if (first.isPresent()) {
      end.completeExceptionally(first.get());
    } else {
      end.complete(null);
    }
  }
}
