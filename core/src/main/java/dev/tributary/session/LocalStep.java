package dev.tributary.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.executor.StepRun;
import dev.tributary.executor.StepTracer;
import dev.tributary.kernel.CallFrame;
import dev.tributary.kernel.Cancellation;
import dev.tributary.kernel.Step;
import dev.tributary.rendezvous.LocalRendezvous;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;

/**
 * One step of a {@link LocalSession}: its feeds, its deadline and its result. Safe for use by many
 * threads.
 */
final class LocalStep {
  private static final int NODES_IN_MESSAGE = 5;

  private final CompiledStep compiled;
  private final Cancellation cancellation;
  private final HeldFeeds feeds;
  private final CallFrame frame;
  private final LocalRendezvous rendezvous = new LocalRendezvous();
  private final Optional<StepTracer> tracer;
  private final Runnable onEnd;
  private final PendingStep pending;
  private StepRun execution;
  private Optional<Future<?>> deadline = Optional.empty();

  /**
   * Takes references to the feeds. {@code onEnd} is called when the step holds nothing any more.
   */
  LocalStep(
      CompiledStep compiled,
      Cancellation cancellation,
      List<Tensor> feeds,
      boolean trace,
      Runnable onEnd) {
    this.compiled = compiled;
    this.cancellation = cancellation;
    this.pending = new PendingStep(cancellation);
    this.tracer = trace ? Optional.of(new StepTracer()) : Optional.empty();
    this.onEnd = onEnd;
    this.feeds = HeldFeeds.hold(feeds);
    this.frame =
        new CallFrame(
            this.feeds.tensors().toArray(new Tensor[0]), compiled.signature().fetches().size());
  }

  /**
   * Binds the step to the services of its session; separate from the constructor so that {@code
   * this} does not escape it.
   */
  void bind(long id, LocalServices services, Optional<Duration> timeout) {
    Step step = new Step(id, cancellation, frame, rendezvous);
    execution = services.executor().prepare(compiled.graph(), step, tracer, this::ended);
    deadline = timeout.map(limit -> services.after(limit, () -> expire(limit)));
  }

  StepResult runHere() {
    execution.start();
    return pending.await();
  }

  RunningStep startOnPool() {
    execution.startOnPool();
    return pending;
  }

  private void expire(Duration limit) {
    List<String> nodes = execution.outstanding(NODES_IN_MESSAGE);
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
    deadline.ifPresent(d -> d.cancel(false));
    rendezvous.close();
    feeds.release();
    Optional<RuntimeException> problem = failure.or(this::deadFetch);
    onEnd.run();
    if (problem.isPresent()) {
      frame.releaseResults();
      pending.fail(problem.get());
    } else {
      pending.succeed(
          new StepResult(compiled.signature().fetches(), values(), tracer.map(StepTrace::of)));
    }
  }

  private Optional<RuntimeException> deadFetch() {
    for (int i = 0; i < frame.resultCount(); i++) {
      if (!frame.hasResult(i)) {
        return Optional.of(
            TributaryException.invalidArgument(
                "%s was fetched but lies on a branch that was not taken",
                compiled.signature().fetches().get(i).name()));
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
