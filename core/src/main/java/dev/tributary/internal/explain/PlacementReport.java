package dev.tributary.internal.explain;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.internal.function.FunctionExpansion;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.partition.GraphPartitioner;
import dev.tributary.internal.partition.NodeNames;
import dev.tributary.internal.placement.Placer;
import dev.tributary.internal.plan.ClientBoundary;
import dev.tributary.internal.plan.Pruner;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepSignature;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * The nodes and state that each task of a cluster would hold, and the transfers between them.
 * Immutable.
 *
 * @param tasks those that get nodes, by name
 * @param crossings tensors that go from task to task, by the tasks and the order of the graph
 */
public record PlacementReport(List<TaskLoad> tasks, List<Crossing> crossings) {
  public PlacementReport {
    tasks = List.copyOf(tasks);
    crossings = List.copyOf(crossings);
  }

  /** Reports the placement of a whole graph, if a step ran all of it. */
  public static PlacementReport of(Graph graph, Placer placer) {
    StepGraph whole = FunctionExpansion.whole(graph, graph.operations());
    placer.place(whole);
    return of(graph, whole);
  }

  /**
   * Reports the placement of one kind of step. The graph is placed as a whole, as masters do.
   *
   * @param clientDevice the device of feeds and fetches: the first device of the master's task
   */
  public static PlacementReport of(
      Graph graph, StepSignature signature, Placer placer, String clientDevice) {
    StepGraph whole = FunctionExpansion.whole(graph, graph.operations());
    placer.place(whole);
    Map<String, String> devices = new HashMap<>();
    whole.nodes().forEach(node -> devices.put(node.name(), node.device()));
    StepGraph step =
        Pruner.prune(graph, signature, new ClientBoundary(clientDevice, 0, graph.registry()));
    FunctionExpansion.expand(step, graph);
    step.nodes().stream()
        .filter(node -> node.device().isEmpty())
        .forEach(node -> node.place(devices.get(node.name())));
    return of(graph, step);
  }

  /** A table of the tasks and one of the crossings, for people. */
  public String text() {
    return ReportText.of(this);
  }

  private static PlacementReport of(Graph graph, StepGraph placed) {
    Set<String> own = new HashSet<>();
    placed.nodes().forEach(node -> own.add(node.name()));
    Map<String, StepGraph> parts =
        new TreeMap<>(
            new GraphPartitioner(
                    graph.registry(), NodeNames.ofMaster(), PlacementReport::task, device -> 0)
                .partition(placed));
    List<TaskLoad> tasks = new ArrayList<>();
    List<Crossing> crossings = new ArrayList<>();
    parts.forEach(
        (task, part) -> {
          tasks.add(load(task, part, own));
          part.nodes().forEach(node -> crossing(graph, node, task, own).ifPresent(crossings::add));
        });
    return new PlacementReport(tasks, crossings);
  }

  private static TaskLoad load(String task, StepGraph part, Set<String> own) {
    return new TaskLoad(
        task,
        part.nodes().stream().map(StepNode::name).filter(own::contains).toList(),
        part.nodes().stream()
            .filter(node -> node.declaration().has(OpFlag.RESOURCE_MAKER))
            .filter(node -> node.attributes().has("dtype") && node.attributes().has("shape"))
            .map(
                node ->
                    new PlacedVariable(
                        node.name(),
                        node.attributes().type("dtype"),
                        node.attributes().shape("shape")))
            .toList());
  }

  private static Optional<Crossing> crossing(
      Graph graph, StepNode node, String task, Set<String> own) {
    boolean isTransfer =
        node.declaration().name().equals("_Send") && !node.attributes().bool("client_terminated");
    if (!isTransfer) {
      return Optional.empty();
    }
    StepNode.Source value = node.inputs().get(0);
    Optional<Output> fed = fed(graph, value.node());
    return Optional.of(
        new Crossing(
            fed.map(Output::name).orElseGet(() -> tensor(value, own)),
            task,
            task(node.attributes().string("recv_device")),
            value.type(),
            fed.map(Output::shape).orElseGet(value::shape)));
  }

  /** The part of the graph that a node for a feed stands for. */
  private static Optional<Output> fed(Graph graph, StepNode node) {
    boolean isFeed =
        node.declaration().name().equals("_Recv") && node.attributes().bool("client_terminated");
    return isFeed
        ? Optional.of(graph.output(node.attributes().string("tensor_name")))
        : Optional.empty();
  }

  /** The client's name of a value: partitioning may have put a node of its own behind it. */
  private static String tensor(StepNode.Source value, Set<String> own) {
    StepNode node = value.node();
    if (own.contains(node.name())) {
      return value.toString();
    }
    return node.inputs().isEmpty()
        ? "^" + node.controlInputs().get(0).name()
        : node.inputs().get(0).toString();
  }

  private static String task(String device) {
    DeviceSpec spec = DeviceSpec.parse(device);
    return new DeviceSpec(
            spec.job(), spec.replica(), spec.task(), Optional.empty(), OptionalInt.empty())
        .toString();
  }
}
