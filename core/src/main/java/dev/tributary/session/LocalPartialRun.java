package dev.tributary.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.internal.collective.CollectiveRuntime;
import dev.tributary.internal.collective.Collectives;
import dev.tributary.internal.collective.RendezvousChunks;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.concurrent.Pending;
import dev.tributary.internal.executor.StepTracer;
import dev.tributary.internal.kernel.CallFrame;
import dev.tributary.internal.plan.ClientBoundary;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.internal.rendezvous.LocalRendezvous;
import dev.tributary.internal.step.GraphRun;
import dev.tributary.internal.step.HeldFeeds;
import dev.tributary.internal.step.PartialRunProgress;
import dev.tributary.internal.step.RunReply;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A partial run of a {@link LocalSession}. It ends with its last piece, with the first piece that
 * fails, or with its session. Its rendezvous keeps values that nobody has fetched yet, also when
 * the graph has ended. Safe for use by many threads.
 */
final class LocalPartialRun implements PartialRun {
  private final PartialGraph step;
  private final ClientBoundary boundary;
  private final Cancellation cancellation;
  private final Runnable onEnd;
  private final PartialRunProgress progress;
  private final LocalRendezvous rendezvous = new LocalRendezvous();
  private final CompletableFuture<Void> graphEnd = new CompletableFuture<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private final GraphRun graphRun;
  private volatile boolean lastPieceEnded;

  /**
   * @param step entered by the caller; the run leaves it
   * @param onEnd called when the run holds nothing any more
   */
  LocalPartialRun(
      long id,
      PartialGraph step,
      StepSignature signature,
      ClientBoundary boundary,
      CollectiveRuntime collectives,
      Cancellation cancellation,
      Runnable onEnd) {
    this.step = step;
    this.boundary = boundary;
    this.cancellation = cancellation;
    this.onEnd = onEnd;
    this.progress =
        new PartialRunProgress(Set.copyOf(names(signature.feeds())), step.feedsOfFetches());
    Optional<StepTracer> untraced = Optional.empty();
    this.graphRun =
        new GraphRun(
            id,
            step.graph(),
            CallFrame.empty(),
            rendezvous,
            new Collectives(collectives, new RendezvousChunks(rendezvous)),
            untraced,
            cancellation,
            this::graphEnded);
  }

  /** Lets the end of the session end the run; separate from the constructor, as it may be now. */
  void watchCancellation() {
    cancellation.onCancel(
        () -> {
          graphRun.startOnPool(); // So that it ends, and says so.
          finishIfOver();
        });
  }

  @Override
  public StepResult run(Map<Output, Tensor> feeds, List<Output> fetches) {
    List<Output> fed = List.copyOf(feeds.keySet());
    List<Tensor> values = fed.stream().map(feeds::get).toList();
    new StepSignature(fed, fetches, List.of()).requireFeedable(values);
    if (cancellation.isCancelled()) {
      throw cancellation.reason().orElseThrow();
    }
    boolean isLast = progress.take(names(fed), names(fetches));
    List<Output> wanted = fetches.stream().distinct().toList();
    RunReply reply = new RunReply(wanted.stream().map(boundary::key).toList(), isLast);
    send(fed, values);
    reply.receiveFrom(rendezvous);
    graphRun.startOnPool();
    graphEnd.whenComplete(
        (done, failure) -> reply.ended(Optional.ofNullable((RuntimeException) failure)));
    Pending<StepResult> pending = new Pending<>(cancellation, StepResult::close);
    reply
        .result()
        .whenComplete(
            (received, failure) -> {
              if (failure != null) {
                cancellation.cancel((RuntimeException) failure);
              }
              if (isLast) {
                lastPieceEnded = true;
              }
              finishIfOver();
              if (failure != null) {
                pending.fail((RuntimeException) failure);
              } else {
                pending.succeed(result(fetches, wanted, received));
              }
            });
    return pending.await();
  }

  private void send(List<Output> fed, List<Tensor> values) {
    HeldFeeds held = HeldFeeds.hold(values);
    for (int i = 0; i < fed.size(); i++) {
      rendezvous.send(boundary.key(fed.get(i)), Optional.of(held.tensors().get(i)));
    }
  }

  private void graphEnded(Optional<RuntimeException> failure) {
    if (failure.isPresent()) {
      graphEnd.completeExceptionally(failure.get());
    } else {
      graphEnd.complete(null);
    }
    finishIfOver();
  }

  private void finishIfOver() {
    boolean isOver = graphEnd.isDone() && (lastPieceEnded || cancellation.isCancelled());
    if (isOver && over.compareAndSet(false, true)) {
      rendezvous.abort(new TributaryException(ErrorCode.CANCELLED, "the partial run is over"));
      step.graph().leave();
      onEnd.run();
    }
  }

  /** One value for each fetch, also where an output is fetched twice. */
  private static StepResult result(
      List<Output> fetches, List<Output> wanted, List<Tensor> received) {
    Map<Output, Tensor> byOutput = new HashMap<>();
    for (int i = 0; i < wanted.size(); i++) {
      byOutput.put(wanted.get(i), received.get(i));
    }
    List<Tensor> values = new ArrayList<>();
    Set<Output> taken = new HashSet<>();
    for (Output fetch : fetches) {
      Tensor value = byOutput.get(fetch);
      values.add(taken.add(fetch) ? value : value.retain());
    }
    return new StepResult(fetches, values, Optional.empty());
  }

  private static List<String> names(List<Output> outputs) {
    return outputs.stream().map(Output::name).toList();
  }
}
