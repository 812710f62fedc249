package dev.tributary.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.collective.CollectiveRuntime;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.plan.ClientBoundary;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.internal.step.FeedOrder;
import dev.tributary.internal.step.PreparedSteps;
import dev.tributary.internal.step.PreparedSteps.PreparedStep;
import dev.tributary.internal.step.RegisteredGraph;
import dev.tributary.internal.step.RunningSteps;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs steps in this process, on CPU devices of its own. A step runs on the calling thread;
 * expensive nodes, and parts of the step on other devices, may move to threads of the session.
 */
final class LocalSession implements Session {
  private static final Logger LOG = LoggerFactory.getLogger(LocalSession.class);

  /** The number of steps that are kept ready. */
  private static final int MOST_PREPARED_STEPS = 1000;

  /** The time that closing waits for steps that do not react to their cancellation. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  private final Graph graph;
  private final LocalDevices devices;
  private final LocalServices services;
  private final ClientBoundary boundary;
  private final CollectiveRuntime collectives;
  private final PreparedSteps<StepSignature, RegisteredGraph> prepared;
  private final PreparedSteps<StepSignature, PartialGraph> preparedPartial;
  private final RunningSteps running = new RunningSteps();
  private final AtomicLong nextStep = new AtomicLong(1);

  LocalSession(Graph graph, SessionOptions options) {
    this.graph = graph;
    this.devices = new LocalDevices(options);
    this.services = new LocalServices(options.interOpThreads(), options.fixedOrder());
    StepCompiler compiler = new StepCompiler(graph, devices, services.executor(), options);
    this.boundary = compiler.client();
    this.collectives = devices.collectives(services.timer(), CollectiveRuntime.USUAL_LIMIT);
    this.prepared =
        new PreparedSteps<>(
            MOST_PREPARED_STEPS,
            signature -> CompletableFuture.completedFuture(compiler.compile(signature)),
            RegisteredGraph::close);
    this.preparedPartial =
        new PreparedSteps<>(
            MOST_PREPARED_STEPS,
            signature -> CompletableFuture.completedFuture(compiler.compilePartial(signature)),
            step -> step.graph().close());
  }

  @Override
  public Graph graph() {
    return graph;
  }

  @Override
  public List<DeviceDescription> devices() {
    return devices.descriptions();
  }

  @Override
  public StepRunner runner() {
    return new StepRunner(
        this,
        new StepRunner.Target() {
          @Override
          public StepResult run(StepSignature signature, List<Tensor> feeds, RunOptions options) {
            return begin(signature, feeds, options).runHere();
          }

          @Override
          public RunningStep start(
              StepSignature signature, List<Tensor> feeds, RunOptions options) {
            return begin(signature, feeds, options).startOnPool();
          }
        });
  }

  @Override
  public StepCallable prepare(
      List<? extends Operand> feeds, List<? extends Operand> fetches, List<Operation> targets) {
    StepSignature signature =
        new StepSignature(Operand.asOutputs(feeds), Operand.asOutputs(fetches), targets);
    Cancellation preparation = running.begin();
    try {
      return new LocalCallable(signature);
    } finally {
      running.end(preparation);
    }
  }

  @Override
  public PartialRun partialRun(
      List<? extends Operand> feeds, List<? extends Operand> fetches, List<Operation> targets) {
    List<Output> fed = Operand.asOutputs(feeds);
    StepSignature signature =
        ordered(new StepSignature(fed, Operand.asOutputs(fetches), targets), FeedOrder.of(fed));
    return beginRunning(cancellation -> partialRun(signature, cancellation));
  }

  @Override
  public void close() {
    running.close(LocalSession::closed, closed());
    int left = running.awaitNone(CLOSE_LIMIT);
    if (left > 0) {
      LOG.warn(
          "session closed while {} steps still run: they did not end when they were cancelled",
          left);
    }
    devices.closeResources(CLOSE_LIMIT);
    services.close(left > 0 ? Duration.ZERO : CLOSE_LIMIT);
    prepared.close();
    preparedPartial.close();
    devices.close();
  }

  private static TributaryException closed() {
    return new TributaryException(
        ErrorCode.CANCELLED, "the session is closed: open another one on the same graph");
  }

  /** Begins something that closing the session cancels, and that ends itself unless it fails. */
  private <T> T beginRunning(Function<Cancellation, T> action) {
    Cancellation cancellation = running.begin();
    try {
      return action.apply(cancellation);
    } catch (RuntimeException | Error e) {
      running.end(cancellation);
      throw e;
    }
  }

  private LocalStep begin(StepSignature signature, List<Tensor> feeds, RunOptions options) {
    signature.requireFeedable(feeds);
    FeedOrder order = FeedOrder.of(signature.feeds());
    return begin(
        () -> enter(ordered(signature, order)), signature.fetches(), order.apply(feeds), options);
  }

  private static StepSignature ordered(StepSignature signature, FeedOrder order) {
    List<Output> feeds = order.apply(signature.feeds());
    return feeds == signature.feeds()
        ? signature
        : new StepSignature(feeds, signature.fetches(), signature.targets());
  }

  /** A graph that the caller may run, and leaves. */
  private RegisteredGraph enter(StepSignature ordered) {
    PreparedStep<RegisteredGraph> step = prepared.acquire(ordered);
    try {
      return entered(step.await());
    } finally {
      prepared.release(step);
    }
  }

  private static RegisteredGraph entered(RegisteredGraph graph) {
    if (!graph.enter()) {
      throw closed();
    }
    return graph;
  }

  /** A step that has its place among the running ones, and is about to start. */
  private LocalStep begin(
      Supplier<RegisteredGraph> entry,
      List<Output> fetches,
      List<Tensor> feeds,
      RunOptions options) {
    return beginRunning(
        cancellation -> {
          RegisteredGraph entered = entry.get();
          try {
            LocalStep step =
                new LocalStep(
                    entered,
                    fetches,
                    cancellation,
                    feeds,
                    options.trace(),
                    () -> running.end(cancellation));
            step.bind(nextStep.getAndIncrement(), services, collectives, options.timeout());
            return step;
          } catch (RuntimeException | Error e) {
            entered.leave();
            throw e;
          }
        });
  }

  private LocalPartialRun partialRun(StepSignature signature, Cancellation cancellation) {
    PreparedStep<PartialGraph> step = preparedPartial.acquire(signature);
    try {
      PartialGraph partial = step.await();
      entered(partial.graph());
      LocalPartialRun run =
          new LocalPartialRun(
              nextStep.getAndIncrement(),
              partial,
              signature,
              boundary,
              collectives,
              cancellation,
              () -> running.end(cancellation));
      run.watchCancellation();
      return run;
    } finally {
      preparedPartial.release(step);
    }
  }

  /** A callable of this session, which keeps its step ready. */
  private final class LocalCallable implements StepCallable {
    private final StepSignature signature;
    private final FeedOrder order;
    private final PreparedStep<RegisteredGraph> step;
    private final RegisteredGraph registered;
    private final AtomicBoolean closed = new AtomicBoolean();

    LocalCallable(StepSignature signature) {
      this.signature = signature;
      this.order = FeedOrder.of(signature.feeds());
      this.step = prepared.acquire(ordered(signature, order));
      try {
        this.registered = step.await();
      } catch (RuntimeException | Error e) {
        prepared.release(step);
        throw e;
      }
    }

    @Override
    public StepResult run(RunOptions options, Tensor... feeds) {
      if (closed.get()) {
        throw new TributaryException(ErrorCode.CANCELLED, "the callable is closed");
      }
      List<Tensor> values = List.of(feeds);
      signature.requireFeedable(values);
      return begin(() -> entered(registered), signature.fetches(), order.apply(values), options)
          .runHere();
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        prepared.release(step);
      }
    }
  }
}
