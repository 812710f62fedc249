package dev.tributary.session;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.kernel.Cancellation;
import dev.tributary.kernel.Device;
import dev.tributary.kernel.ResourceContainers;
import dev.tributary.kernel.plain.IntraopPool;
import dev.tributary.plan.StepSignature;
import dev.tributary.tensor.Allocator;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.List;
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

  /** How long closing waits for steps that do not heed their cancellation. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  private final Graph graph;
  private final IntraopPool intraop;
  private final Device device;
  private final LocalServices services;
  private final StepCompiler compiler;
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
    this.compiler = new StepCompiler(graph, device, options);
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
            return begin(() -> compiler.compiled(signature), feeds, options).runHere();
          }

          @Override
          public RunningStep start(
              StepSignature signature, List<Tensor> feeds, RunOptions options) {
            return begin(() -> compiler.compiled(signature), feeds, options).startOnPool();
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
      return new PreparedStep(compiler.compiled(signature));
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
    compiler.close();
    device.resources().close();
  }

  /** A step that has its place among the running ones, and is about to start. */
  private LocalStep begin(Supplier<CompiledStep> compiled, List<Tensor> feeds, RunOptions options) {
    Cancellation cancellation = running.begin();
    try {
      LocalStep step =
          new LocalStep(
              compiled.get(),
              cancellation,
              feeds,
              options.trace(),
              () -> running.end(cancellation));
      step.bind(nextStep.getAndIncrement(), services, options.timeout());
      return step;
    } catch (RuntimeException | Error e) {
      running.end(cancellation);
      throw e;
    }
  }

  /** A callable of this session. It holds nothing but what the session keeps anyway. */
  private final class PreparedStep implements StepCallable {
    private final CompiledStep compiled;
    private volatile boolean closed;

    PreparedStep(CompiledStep compiled) {
      this.compiled = compiled;
    }

    @Override
    public StepResult run(RunOptions options, Tensor... feeds) {
      if (closed) {
        throw new TributaryException(ErrorCode.CANCELLED, "the callable is closed");
      }
      return begin(() -> compiled, List.of(feeds), options).runHere();
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
