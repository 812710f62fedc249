package dev.tributary.internal.partition;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Rewrite;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.executor.ExecutableGraph;
import dev.tributary.internal.executor.Executor;
import dev.tributary.internal.executor.GraphCompiler;
import dev.tributary.internal.executor.StatefulKernels;
import dev.tributary.internal.executor.StepRun;
import dev.tributary.internal.kernel.CallFrame;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.kernel.plain.PlainBackend;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.placement.Placer;
import dev.tributary.internal.plan.ClientBoundary;
import dev.tributary.internal.plan.Pruner;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.internal.plan.wire.StepGraphDefs;
import dev.tributary.internal.rendezvous.LocalRendezvous;
import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.internal.rewrite.FoldedConstants;
import dev.tributary.internal.rewrite.Rewrites;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Tasks with devices, all in this process. A step takes the way it takes in a real cluster: placed
 * as a whole, cut by task, sent as messages, cut by device, rewritten, compiled; the parts meet in
 * one rendezvous.
 */
final class OneProcessCluster implements AutoCloseable {
  private static final long LIMIT_SECONDS = 20;

  private final Map<String, Device> devices = new LinkedHashMap<>();
  private final Map<String, StatefulKernels> kernels = new HashMap<>();
  private final NodeNames masterNames = NodeNames.ofMaster();
  private final Map<String, NodeNames> workerNames = new HashMap<>();
  private final ExecutorService pool = Executors.newFixedThreadPool(2);
  private final Executor executor = new Executor(pool, true);
  private long steps;

  OneProcessCluster(int tasks, int devicesPerTask) {
    for (int task = 0; task < tasks; task++) {
      for (int index = 0; index < devicesPerTask; index++) {
        String name = deviceName(task, index);
        devices.put(
            name,
            new Device(
                name,
                Allocator.shared(),
                new PlainBackend(ParallelFor.INLINE),
                new ResourceContainers()));
        kernels.put(name, new StatefulKernels());
      }
    }
  }

  static String deviceName(int task, int index) {
    return "/job:worker/replica:0/task:" + task + "/device:CPU:" + index;
  }

  /** The parts of a step as a master sends them, by task. */
  Map<String, StepGraph> partition(Graph graph, StepSignature signature) {
    StepGraph step = Pruner.prune(graph, signature, boundary(graph));
    placeLike(placed(graph), step);
    return new GraphPartitioner(graph.registry(), masterNames, OneProcessCluster::task, this::life)
        .partition(step);
  }

  /** Runs a step without feeds; the values fetched are the caller's. */
  List<Tensor> run(Graph graph, List<Output> fetches, List<Operation> targets) {
    List<AutoCloseable> owned = new ArrayList<>();
    List<ExecutableGraph> parts = new ArrayList<>();
    partition(graph, new StepSignature(List.of(), fetches, targets))
        .forEach((task, part) -> parts.addAll(compile(task, part, graph, owned)));
    try (LocalRendezvous rendezvous = new LocalRendezvous()) {
      start(parts, rendezvous);
      return fetched(boundary(graph), fetches, rendezvous);
    } finally {
      owned.forEach(OneProcessCluster::closeQuietly);
    }
  }

  @Override
  public void close() {
    pool.shutdown();
    devices.values().forEach(device -> device.resources().close());
  }

  private Map<String, String> placed(Graph graph) {
    StepGraph whole = StepGraph.whole(graph.operations());
    new Placer(List.copyOf(devices.keySet()), task(deviceName(0, 0)), false, (op, type) -> true)
        .place(whole);
    return whole.nodes().stream().collect(Collectors.toMap(StepNode::name, StepNode::device));
  }

  private static void placeLike(Map<String, String> devices, StepGraph step) {
    step.nodes().stream()
        .filter(node -> node.device().isEmpty())
        .forEach(node -> node.place(devices.get(node.name())));
  }

  private List<ExecutableGraph> compile(
      String task, StepGraph part, Graph graph, List<AutoCloseable> owned) {
    Graph constants = new Graph(graph.registry());
    owned.add(constants);
    StepGraph received = StepGraphDefs.fromProto(StepGraphDefs.toProto(part), constants);
    NodeNames names = workerNames.computeIfAbsent(task, key -> NodeNames.ofWorker());
    List<ExecutableGraph> compiled = new ArrayList<>();
    new GraphPartitioner(graph.registry(), names, device -> device, this::life)
        .partition(received)
        .forEach(
            (device, own) -> {
              FoldedConstants folded =
                  Rewrites.run(own, devices.get(device), EnumSet.allOf(Rewrite.class));
              owned.add(folded);
              compiled.add(GraphCompiler.compile(own, devices.get(device), kernels.get(device)));
            });
    return compiled;
  }

  private void start(List<ExecutableGraph> parts, LocalRendezvous rendezvous) {
    Cancellation cancellation = new Cancellation();
    List<CompletableFuture<Optional<RuntimeException>>> ends = new ArrayList<>();
    List<StepRun> runs = new ArrayList<>();
    steps++;
    for (ExecutableGraph part : parts) {
      CompletableFuture<Optional<RuntimeException>> end = new CompletableFuture<>();
      Step step = new Step(steps, cancellation, CallFrame.empty(), rendezvous);
      runs.add(
          executor.prepare(
              part,
              step,
              Optional.empty(),
              failure -> {
                step.close();
                failure.ifPresent(cancellation::cancel);
                end.complete(failure);
              }));
      ends.add(end);
    }
    runs.forEach(StepRun::startOnPool);
    await(ends, runs);
  }

  private static void await(
      List<CompletableFuture<Optional<RuntimeException>>> ends, List<StepRun> runs) {
    try {
      for (CompletableFuture<Optional<RuntimeException>> end : ends) {
        Optional<RuntimeException> failure = end.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (failure.isPresent()) {
          throw failure.get();
        }
      }
    } catch (TimeoutException e) {
      throw new AssertionError(
          "the step hangs in " + runs.stream().map(run -> run.outstanding(5)).toList());
    } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Tensor> fetched(
      ClientBoundary boundary, List<Output> fetches, LocalRendezvous rendezvous) {
    List<Tensor> values = new ArrayList<>();
    for (Output fetch : fetches) {
      rendezvous.receive(
          boundary.key(fetch),
          new Rendezvous.Receiver() {
            @Override
            public void received(Optional<Tensor> value) {
              values.add(value.orElseThrow());
            }

            @Override
            public void failed(RuntimeException failure) {
              throw failure;
            }
          });
    }
    return values;
  }

  private ClientBoundary boundary(Graph graph) {
    String client = deviceName(0, 0);
    return new ClientBoundary(client, life(client), graph.registry());
  }

  private static String task(String device) {
    return device.substring(0, device.indexOf("/device:"));
  }

  private long life(String device) {
    return device.hashCode();
  }

  private static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
