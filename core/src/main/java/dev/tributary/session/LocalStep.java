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
import dev.tributary.internal.rendezvous.LocalRendezvous;
import dev.tributary.internal.step.GraphRun;
import dev.tributary.internal.step.HeldFeeds;
import dev.tributary.internal.step.RegisteredGraph;
import dev.tributary.internal.time.Timer;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One step of a {@link LocalSession}: its feeds, its deadline and its result. Safe for use by many
 * threads.
 */
final class LocalStep {
  private static final int NODES_IN_MESSAGE = 5;

  private final RegisteredGraph graph;
  private final List<Output> fetches;
  private final Cancellation cancellation;
  private final HeldFeeds feeds;
  private final CallFrame frame;
  private final LocalRendezvous rendezvous = new LocalRendezvous();
  private final Optional<StepTracer> tracer;
  private final Runnable onEnd;
  private final Pending<StepResult> pending;
  private GraphRun graphRun;
  private Timer.Alarm deadline = Timer.Alarm.NONE;

  /**
   * Takes references to the feeds.
   *
   * @param graph entered by the caller; the step leaves it
   * @param onEnd called when the step holds nothing any more
   */
  LocalStep(
      RegisteredGraph graph,
      List<Output> fetches,
      Cancellation cancellation,
      List<Tensor> feeds,
      boolean trace,
      Runnable onEnd) {
    this.graph = graph;
    this.fetches = fetches;
    this.cancellation = cancellation;
    this.pending = new Pending<>(cancellation, StepResult::close);
    this.tracer = trace ? Optional.of(new StepTracer()) : Optional.empty();
    this.onEnd = onEnd;
    this.feeds = HeldFeeds.hold(feeds);
    this.frame = new CallFrame(this.feeds.tensors().toArray(new Tensor[0]), fetches.size());
  }

  /**
   * Binds the step to the services of its session; separate from the constructor so that {@code
   * this} does not escape it.
   */
  void bind(
      long id, LocalServices services, CollectiveRuntime collectives, Optional<Duration> timeout) {
    graphRun =
        new GraphRun(
            id,
            graph,
            frame,
            rendezvous,
            new Collectives(collectives, new RendezvousChunks(rendezvous)),
            tracer,
            cancellation,
            this::ended);
    if (timeout.isPresent()) {
      Duration limit = timeout.get();
      deadline = services.timer().after(limit, () -> expire(limit));
    }
  }

  StepResult runHere() {
    graphRun.startHere();
    return pending.await();
  }

  RunningStep startOnPool() {
    graphRun.startOnPool();
    return RunningStep.of(pending);
  }

  private void expire(Duration limit) {
    List<String> nodes = graphRun.outstanding(NODES_IN_MESSAGE);
    String waiting =
        nodes.isEmpty()
            ? "no node had a thread to run on"
            : "not finished: " + String.join(", ", nodes);
    cancellation.cancel(
        new TributaryException(
            ErrorCode.DEADLINE_EXCEEDED,
            "the step did not end within " + limit.toMillis() + " ms; " + waiting));
  }

  private void ended(Optional<RuntimeException> failure) {
    deadline.cancel();
    rendezvous.close();
    feeds.release();
    graph.leave();
    Optional<RuntimeException> problem = failure.or(this::deadFetch);
    if (problem.isPresent()) {
      frame.releaseResults();
      pending.fail(problem.get());
    } else {
      pending.succeed(new StepResult(fetches, values(), tracer.map(StepTracer::trace)));
    }
    onEnd.run(); // Last: whoever has closed the session finds all its steps done.
  }

  private Optional<RuntimeException> deadFetch() {
    for (int i = 0; i < frame.resultCount(); i++) {
      if (!frame.hasResult(i)) {
        return Optional.of(
            TributaryException.invalidArgument(
                "%s was fetched but lies on a branch that was not taken", fetches.get(i).name()));
      }
    }
    return Optional.empty();
  }

  private List<Tensor> values() {
    List<Tensor> values = new ArrayList<>(frame.resultCount());
    for (int i = 0; i < frame.resultCount(); i++) {
      values.add(frame.result(i));
    }
    return values;
  }
}
