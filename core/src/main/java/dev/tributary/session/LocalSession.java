package dev.tributary.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.kernel.Cancellation;
import dev.tributary.kernel.Device;
import dev.tributary.kernel.ResourceContainers;
import dev.tributary.kernel.plain.IntraopPool;
import dev.tributary.plan.StepSignature;
import dev.tributary.step.FeedOrder;
import dev.tributary.step.PreparedStep;
import dev.tributary.step.PreparedSteps;
import dev.tributary.tensor.Allocator;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs steps in this process, on one CPU device of its own. A step runs on the calling thread;
 * expensive nodes may move to threads of the session.
 */
public final class LocalSession implements Session {
  private static final Logger LOG = LoggerFactory.getLogger(LocalSession.class);
  private static final String DEVICE_NAME = "/job:localhost/replica:0/task:0/device:CPU:0";

  /** The number of steps that are kept ready. */
  private static final int MOST_PREPARED_STEPS = 1000;

  /** How long closing waits for steps that do not heed their cancellation. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  private final Graph graph;
  private final IntraopPool intraop;
  private final Device device;
  private final LocalServices services;
  private final PreparedSteps<StepSignature, CompiledStep> prepared;
  private final RunningSteps running = new RunningSteps();
  private final AtomicLong nextStep = new AtomicLong(1);

  LocalSession(Graph graph, SessionOptions options) {
    this.graph = graph;
    this.intraop = new IntraopPool(options.intraOpThreads());
    this.device =
        new Device(
            DEVICE_NAME,
            Allocator.shared(),
            options.backend().backend(intraop),
            new ResourceContainers());
    this.services = new LocalServices(options.interOpThreads(), options.fixedOrder());
    StepCompiler compiler = new StepCompiler(graph, device, options);
    this.prepared =
        new PreparedSteps<>(
            MOST_PREPARED_STEPS,
            signature -> CompletableFuture.completedFuture(compiler.compile(signature)),
            CompiledStep::close);
  }

  @Override
  public Graph graph() {
    return graph;
  }

  @Override
  public List<DeviceDescription> devices() {
    return List.of(new DeviceDescription(DEVICE_NAME, "CPU", 0, 0));
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
  public void close() {
    running.close();
    int left = running.awaitNone(CLOSE_LIMIT);
    if (left > 0) {
      LOG.warn(
          "session closed while {} steps still run: they did not heed their cancellation", left);
    }
    services.close(left > 0 ? Duration.ZERO : CLOSE_LIMIT);
    intraop.close();
    prepared.close();
    device.resources().close();
  }

  private LocalStep begin(StepSignature signature, List<Tensor> feeds, RunOptions options) {
    signature.requireFeedable(feeds);
    FeedOrder order = FeedOrder.of(signature.feeds());
    StepSignature ordered = ordered(signature, order);
    return begin(() -> acquire(ordered), order.apply(feeds), options);
  }

  private static StepSignature ordered(StepSignature signature, FeedOrder order) {
    List<Output> feeds = order.apply(signature.feeds());
    return feeds == signature.feeds()
        ? signature
        : new StepSignature(feeds, signature.fetches(), signature.targets());
  }

  /** A step that is ready; the caller releases it. */
  private PreparedStep<CompiledStep> acquire(StepSignature ordered) {
    PreparedStep<CompiledStep> step = prepared.acquire(ordered);
    try {
      step.await();
      return step;
    } catch (RuntimeException | Error e) {
      prepared.release(step);
      throw e;
    }
  }

  /** A step that has its place among the running ones, and is about to start. */
  private LocalStep begin(
      Supplier<PreparedStep<CompiledStep>> kind, List<Tensor> feeds, RunOptions options) {
    Cancellation cancellation = running.begin();
    Optional<PreparedStep<CompiledStep>> used = Optional.empty();
    try {
      PreparedStep<CompiledStep> acquired = kind.get();
      used = Optional.of(acquired);
      LocalStep step =
          new LocalStep(
              acquired.await(),
              cancellation,
              feeds,
              options.trace(),
              () -> {
                prepared.release(acquired);
                running.end(cancellation);
              });
      step.bind(nextStep.getAndIncrement(), services, options.timeout());
      return step;
    } catch (RuntimeException | Error e) {
      used.ifPresent(prepared::release);
      running.end(cancellation);
      throw e;
    }
  }

  /** A callable of this session, which keeps its step ready. */
  private final class LocalCallable implements StepCallable {
    private final StepSignature signature;
    private final FeedOrder order;
    private final PreparedStep<CompiledStep> step;
    private final AtomicBoolean closed = new AtomicBoolean();

    LocalCallable(StepSignature signature) {
      this.signature = signature;
      this.order = FeedOrder.of(signature.feeds());
      this.step = acquire(ordered(signature, order));
    }

    @Override
    public StepResult run(RunOptions options, Tensor... feeds) {
      if (closed.get()) {
        throw new TributaryException(ErrorCode.CANCELLED, "the callable is closed");
      }
      List<Tensor> values = List.of(feeds);
      signature.requireFeedable(values);
      return begin(() -> prepared.acquireAgain(step), order.apply(values), options).runHere();
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        prepared.release(step);
      }
    }
  }
}
