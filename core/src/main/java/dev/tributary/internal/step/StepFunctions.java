package dev.tributary.internal.step;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.graph.Rewrite;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The functions that kernels of one registered graph call. Each is compiled like a step: its calls
 * of other functions are expanded, it is placed on the devices of this process and split by them.
 * Owns what it compiled. Guarded by its own monitor, outside of which functions are compiled.
 */
final class StepFunctions implements FunctionRuntime, AutoCloseable {
  private final Graph graph;
  private final Map<String, SessionDevice> devices;
  private final DeviceSplit split;
  private final Set<Rewrite> rewrites;
  private final Executor executor;

  @GuardedBy("this")
  private final List<RegisteredGraph> compiled = new ArrayList<>();

  /**
   * The devices with kernels for functions only: names in bodies are no names of the graph. Made
   * for the first function, since few graphs have kernels that call one.
   */
  @GuardedBy("this")
  private final Map<String, SessionDevice> own = new HashMap<>();

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param graph has the functions
   */
  StepFunctions(
      Graph graph,
      Map<String, SessionDevice> devices,
      DeviceSplit split,
      Set<Rewrite> rewrites,
      Executor executor) {
    this.graph = graph;
    this.devices = devices;
    this.split = split;
    this.rewrites = rewrites;
    this.executor = executor;
  }

  @Override
  public CapturedFunction instantiate(AttrValue.Function function, String device) {
    FunctionBody body = FunctionLibrary.of(graph).body(function);
    try {
      RegisteredGraph made =
          RegisteredGraph.compile(
              placed(body, function, fullName(device)),
              graph,
              ownDevices(),
              split,
              rewrites,
              executor,
              () -> {});
      keep(made);
      return new NestedSteps(body.function(), made, body.results().size());
    } catch (TributaryException e) {
      throw e.at("function '" + body.function() + "'");
    }
  }

  /** To be called when no step of the registered graph runs any more. */
  @Override
  public void close() {
    List<RegisteredGraph> all;
    List<SessionDevice> used;
    synchronized (this) {
      closed = true;
      all = List.copyOf(compiled);
      compiled.clear();
      used = List.copyOf(own.values());
    }
    all.forEach(RegisteredGraph::close);
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
      if (!closed) {
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
