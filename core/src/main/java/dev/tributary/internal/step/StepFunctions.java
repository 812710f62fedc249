package dev.tributary.internal.step;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Rewrite;
import dev.tributary.internal.concurrent.UseCount;
import dev.tributary.internal.executor.Executor;
import dev.tributary.internal.function.FunctionExpansion;
import dev.tributary.internal.kernel.CapturedFunction;
import dev.tributary.internal.kernel.FunctionRuntime;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.placement.Placer;
import dev.tributary.internal.plan.CallBoundary;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The functions that kernels of one registered graph call. Each is compiled like a step: its calls
 * of other functions are expanded, it is placed on the devices of this process and split by them.
 * Owns what it compiled. Guarded by its own monitor, outside of which functions are compiled.
 */
final class StepFunctions implements FunctionRuntime, AutoCloseable {
  /** To compile a small function takes as long as this many nodes of a large one. */
  private static final int NODES_OF_A_CALL = 200;

  private final Graph graph;
  private final Map<String, SessionDevice> devices;
  private final DeviceSplit split;
  private final Set<Rewrite> rewrites;
  private final Executor executor;
  private final AtomicInteger nodesLeft;

  @GuardedBy("this")
  private final List<RegisteredGraph> compiled = new ArrayList<>();

  /**
   * The devices with kernels for functions only: names in bodies are no names of the graph. Made
   * for the first function, since few graphs have kernels that call one.
   */
  @GuardedBy("this")
  private final Map<String, SessionDevice> own = new HashMap<>();

  /** Functions in use, with values that outlive the graph: their kernels end with the last. */
  private final UseCount uses = new UseCount(this::closeKernels);

  /**
   * @param graph has the functions
   * @param nodesLeft the nodes that functions may still have, shared with those of functions
   */
  StepFunctions(
      Graph graph,
      Map<String, SessionDevice> devices,
      DeviceSplit split,
      Set<Rewrite> rewrites,
      Executor executor,
      AtomicInteger nodesLeft) {
    this.graph = graph;
    this.devices = devices;
    this.split = split;
    this.rewrites = rewrites;
    this.executor = executor;
    this.nodesLeft = nodesLeft;
  }

  /**
   * Returns the nodes that the functions which kernels of a graph call may have, at once or through
   * others. Each use of a function is compiled, so thirty functions that use the one before twice
   * would fill any memory.
   */
  static AtomicInteger nodesFor(Graph graph) {
    return new AtomicInteger(FunctionLibrary.of(graph).mostNodes());
  }

  @Override
  public CapturedFunction instantiate(AttrValue.Function function, String device) {
    FunctionBody body = FunctionLibrary.of(graph).body(function);
    if (!uses.enter()) {
      throw TributaryException.cancelled("function '%s' is closed with its graph", body.function());
    }
    try {
      RegisteredGraph made =
          RegisteredGraph.compile(
              counted(placed(body, function, fullName(device))),
              graph,
              ownDevices(),
              split,
              rewrites,
              executor,
              uses::leave,
              nodesLeft);
      keep(made);
      return new NestedSteps(body, made);
    } catch (TributaryException e) {
      uses.leave();
      throw e.at("function '" + body.function() + "'");
    } catch (RuntimeException | Error e) {
      uses.leave();
      throw e;
    }
  }

  @Override
  public boolean contains(AttrValue.Function function, Set<String> ops) {
    return contains(function, ops, new HashSet<>());
  }

  private boolean contains(
      AttrValue.Function function, Set<String> ops, Set<AttrValue.Function> seen) {
    if (!seen.add(function)) {
      return false;
    }
    for (Operation operation : FunctionLibrary.of(graph).body(function).graph().operations()) {
      if (ops.contains(operation.type())) {
        return true;
      }
      for (AttrValue value : operation.attributes().asMap().values()) {
        if (value instanceof AttrValue.Function called && contains(called, ops, seen)) {
          return true;
        }
      }
    }
    return false;
  }

  private StepGraph counted(StepGraph step) {
    int count = NODES_OF_A_CALL + step.nodes().size();
    if (nodesLeft.addAndGet(-count) < 0) {
      nodesLeft.addAndGet(count);
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          String.format(
              "functions that kernels of this graph call have more than %d nodes, where each use of"
                  + " a function counts, and %d for itself: call fewer levels of functions",
              FunctionLibrary.of(graph).mostNodes(), NODES_OF_A_CALL));
    }
    return step;
  }

  /** To be called when no step of the registered graph runs any more. */
  @Override
  public void close() {
    List<RegisteredGraph> all;
    synchronized (this) {
      uses.close();
      all = List.copyOf(compiled);
      compiled.clear();
    }
    all.forEach(RegisteredGraph::close);
  }

  @Override
  public java.util.concurrent.Executor pool() {
    return executor.pool();
  }

  private void closeKernels() {
    List<SessionDevice> used;
    synchronized (this) {
      used = List.copyOf(own.values());
    }
    used.forEach(device -> device.kernels().close());
  }

  private synchronized Map<String, SessionDevice> ownDevices() {
    if (own.isEmpty()) {
      devices.forEach((name, d) -> own.put(name, new SessionDevice(d.device(), d.incarnation())));
    }
    return own;
  }

  private void keep(RegisteredGraph made) {
    synchronized (this) {
      if (!uses.isClosed()) {
        compiled.add(made);
        return;
      }
    }
    made.close();
  }

  private String fullName(String device) {
    DeviceSpec wanted = DeviceSpec.parse(device);
    return devices.keySet().stream()
        .sorted()
        .filter(name -> wanted.matches(DeviceSpec.parse(name)))
        .findFirst()
        .orElseThrow(
            () ->
                TributaryException.invalidArgument(
                    "Could not find worker with target: %s Available workers: %s",
                    device, devices.keySet().stream().sorted().toList()));
  }

  /** A step that is one call of the function, expanded and placed. */
  private StepGraph placed(FunctionBody body, AttrValue.Function function, String device) {
    StepGraph step = call(body, function, DeviceSpec.parse(device));
    FunctionExpansion.expand(step, graph);
    Map<String, String> fixed = new HashMap<>();
    for (StepNode node : step.nodes()) {
      if (node.requestedDevice().isEmpty()) {
        fixed.put(node.name(), device);
      }
    }
    new Placer(
            devices.keySet().stream().sorted().toList(),
            device,
            true,
            (op, type) -> type.equals("CPU"))
        .place(step, fixed);
    return step;
  }

  private StepGraph call(FunctionBody body, AttrValue.Function function, DeviceSpec device) {
    CallBoundary boundary = new CallBoundary(graph.registry());
    List<DataType> results = body.results().stream().map(Output::type).toList();
    StepNode call =
        new StepNode(
            body.function(),
            graph.registry().lookup("PartitionedCall"),
            Attributes.of(
                Map.of(
                    "f",
                    function,
                    "Tin",
                    AttrValue.ofTypes(body.arguments().stream().map(Output::type).toList()),
                    "Tout",
                    AttrValue.ofTypes(results))),
            device,
            results);
    List<StepNode> nodes = new ArrayList<>();
    for (int i = 0; i < body.arguments().size(); i++) {
      StepNode argument = boundary.feed(body.arguments().get(i), i);
      call.inputs().add(new StepNode.Source(argument, 0));
      nodes.add(argument);
    }
    nodes.add(call);
    Map<StepNode, String> roots = new LinkedHashMap<>();
    roots.put(call, "function '" + body.function() + "'");
    for (int i = 0; i < results.size(); i++) {
      StepNode result = boundary.fetch(body.results().get(i), i);
      result.inputs().add(new StepNode.Source(call, i));
      nodes.add(result);
      roots.put(result, "result " + i + " of function '" + body.function() + "'");
    }
    return new StepGraph(nodes, roots);
  }
}
