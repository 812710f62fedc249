package dev.tributary.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.executor.StepRun;
import dev.tributary.executor.StepTracer;
import dev.tributary.graph.Output;
import dev.tributary.kernel.CallFrame;
import dev.tributary.kernel.Cancellation;
import dev.tributary.kernel.Step;
import dev.tributary.rendezvous.LocalRendezvous;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One step of a {@link LocalSession}: its feeds, its deadline and its result. Safe for use by many
 * threads.
 */
final class LocalStep implements RunningStep {
  private static final int NODES_IN_MESSAGE = 5;

  private final CompiledStep compiled;
  private final Cancellation cancellation;
  private final List<Tensor> feeds;
  private final CallFrame frame;
  private final LocalRendezvous rendezvous = new LocalRendezvous();
  private final Optional<StepTracer> tracer;
  private final Runnable onEnd;
  private final CompletableFuture<StepResult> result = new CompletableFuture<>();
  private final AtomicBoolean taken = new AtomicBoolean();
  private StepRun execution;
  private Optional<Future<?>> deadline = Optional.empty();

  /**
   * Checks the feeds and takes references to them. {@code onEnd} is called when the step holds
   * nothing any more.
   */
  LocalStep(
      CompiledStep compiled,
      Cancellation cancellation,
      List<Tensor> feeds,
      boolean trace,
      Runnable onEnd) {
    checkFeeds(compiled.signature().feeds(), feeds);
    this.compiled = compiled;
    this.cancellation = cancellation;
    this.feeds = feeds;
    this.frame = new CallFrame(feeds.toArray(new Tensor[0]), compiled.signature().fetches().size());
    this.tracer = trace ? Optional.of(new StepTracer()) : Optional.empty();
    this.onEnd = onEnd;
    feeds.forEach(Tensor::retain);
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
    return await();
  }

  LocalStep startOnPool() {
    execution.startOnPool();
    return this;
  }

  @Override
  public boolean isDone() {
    return result.isDone();
  }

  @Override
  public StepResult await() {
    taken.set(
        true); // Before waiting, so that a close from another thread leaves the result to this one.
    try {
      return uninterrupted();
    } catch (ExecutionException e) {
      throw (RuntimeException) e.getCause();
    }
  }

  /** Whether the step was told to end, for whichever reason. */
  boolean isCancelled() {
    return cancellation.isCancelled();
  }

  @Override
  public void cancel() {
    cancellation.cancel(new TributaryException(ErrorCode.CANCELLED, "the step was cancelled"));
  }

  @Override
  public void close() {
    cancel();
    try {
      StepResult value = uninterrupted();
      if (!taken.get()) {
        value.close();
      }
    } catch (ExecutionException e) {
      // Whoever awaits the step is told; here nobody asks for its result.
    }
  }

  /**
   * An interrupt cancels the step. It is waited for even so, since its kernels still use memory of
   * the session.
   */
  private StepResult uninterrupted() throws ExecutionException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return result.get();
        } catch (InterruptedException e) {
          interrupted = true;
          cancellation.cancel(
              new TributaryException(
                  ErrorCode.CANCELLED, "the thread that waits for the step was interrupted"));
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
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
    Optional<RuntimeException> overreleased = releaseFeeds();
    Optional<RuntimeException> problem = failure.or(() -> overreleased).or(this::deadFetch);
    onEnd.run();
    if (problem.isPresent()) {
      frame.releaseResults();
      result.completeExceptionally(problem.get());
    } else {
      result.complete(new StepResult(values(), tracer.map(StepTrace::of)));
    }
  }

  /** A feed that the caller closed too often must not keep the step from ending. */
  private Optional<RuntimeException> releaseFeeds() {
    Optional<RuntimeException> problem = Optional.empty();
    for (Tensor feed : feeds) {
      try {
        feed.close();
      } catch (TributaryException e) {
        problem = Optional.of(e);
      }
    }
    return problem;
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

  private static void checkFeeds(List<Output> feeds, List<Tensor> values) {
    if (feeds.size() != values.size()) {
      throw TributaryException.invalidArgument(
          "the step has %d feeds and got %d tensors", feeds.size(), values.size());
    }
    for (int i = 0; i < feeds.size(); i++) {
      Output feed = feeds.get(i);
      Tensor value = values.get(i);
      if (value.isReleased()) {
        throw TributaryException.invalidArgument(
            "%s was fed a tensor that is already closed", feed.name());
      }
      if (value.type() != feed.type()) {
        throw TributaryException.invalidArgument(
            "%s is %s and was fed a %s tensor",
            feed.name(), feed.type().lowerName(), value.type().lowerName());
      }
      if (!value.shape().isCompatibleWith(feed.shape())) {
        throw TributaryException.invalidArgument(
            "%s has shape %s and was fed a tensor of shape %s",
            feed.name(), feed.shape(), value.shape());
      }
    }
  }
}
