package dev.tributary.session;

import dev.tributary.error.TributaryException;
import dev.tributary.executor.ExecutableGraph;
import dev.tributary.executor.Executor;
import dev.tributary.executor.GraphCompiler;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.kernel.CallFrame;
import dev.tributary.kernel.Cancellation;
import dev.tributary.kernel.Device;
import dev.tributary.kernel.ResourceContainers;
import dev.tributary.kernel.Step;
import dev.tributary.kernel.plain.IntraopPool;
import dev.tributary.kernel.plain.PlainBackend;
import dev.tributary.plan.Pruner;
import dev.tributary.plan.StepGraph;
import dev.tributary.plan.StepSignature;
import dev.tributary.tensor.Allocator;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Runs steps in this process, on one CPU device of its own. */
public final class LocalSession implements Session {
  private static final String DEVICE_NAME = "/job:localhost/replica:0/task:0/device:CPU:0";

  private final Graph graph;
  private final IntraopPool intraop;
  private final Device device;
  private final ExecutorService pool;
  private final Executor executor;
  private final Map<StepSignature, ExecutableGraph> compiled = new ConcurrentHashMap<>();
  private final AtomicLong nextStep = new AtomicLong(1);

  LocalSession(Graph graph, SessionOptions options) {
    this.graph = graph;
    this.intraop = new IntraopPool(options.intraOpThreads());
    this.device = new Device(DEVICE_NAME, Allocator.shared(), new PlainBackend(intraop), new ResourceContainers());
    AtomicLong number = new AtomicLong();
    this.pool =
        Executors.newFixedThreadPool(
            Math.max(1, options.interOpThreads()),
            task -> {
              Thread thread = new Thread(task, "tributary-inter-op-" + number.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
    this.executor = new Executor(pool);
  }

  @Override
  public Graph graph() {
    return graph;
  }

  @Override
  public StepRunner runner() {
    return new StepRunner(this, this::run);
  }

  @Override
  public void close() {
    pool.shutdownNow();
    intraop.close();
    device.resources().close();
  }

  private StepResult run(StepRunner request) {
    StepSignature signature = new StepSignature(request.feeds(), request.fetches(), request.targets());
    ExecutableGraph executable = compiled.computeIfAbsent(signature, this::compile);
    checkFeeds(request);
    CallFrame frame = new CallFrame(request.feedValues().toArray(new Tensor[0]), request.fetches().size());
    Step step = new Step(nextStep.getAndIncrement(), new Cancellation(), frame);
    CompletableFuture<Optional<RuntimeException>> done = new CompletableFuture<>();
    executor.run(executable, step, Optional.empty(), done::complete);
    Optional<RuntimeException> failure = done.join();
    if (failure.isPresent()) {
      throw failure.get();
    }
    return results(request, frame);
  }

  private static StepResult results(StepRunner request, CallFrame frame) {
    List<Tensor> values = new ArrayList<>();
    for (int i = 0; i < frame.resultCount(); i++) {
      if (!frame.hasResult(i)) {
        frame.releaseResults();
        throw TributaryException.invalidArgument(
            "%s was fetched but lies on a branch that was not taken", request.fetches().get(i).name());
      }
      values.add(frame.result(i));
    }
    return new StepResult(values);
  }

  private static void checkFeeds(StepRunner request) {
    for (int i = 0; i < request.feeds().size(); i++) {
      Output feed = request.feeds().get(i);
      Tensor value = request.feedValues().get(i);
      if (value.type() != feed.type()) {
        throw TributaryException.invalidArgument(
            "%s is %s and was fed a %s tensor", feed.name(), feed.type().lowerName(), value.type().lowerName());
      }
      if (!value.shape().isCompatibleWith(feed.shape())) {
        throw TributaryException.invalidArgument(
            "%s has shape %s and was fed a tensor of shape %s", feed.name(), feed.shape(), value.shape());
      }
    }
  }

  private ExecutableGraph compile(StepSignature signature) {
    StepGraph stepGraph = Pruner.prune(graph, signature);
    return GraphCompiler.compile(stepGraph, device);
  }
}
