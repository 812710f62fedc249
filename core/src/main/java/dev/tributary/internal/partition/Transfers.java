package dev.tributary.internal.partition;

import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepNode.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Distributes the nodes of a graph over its parts and puts a Send and a Recv in the place of each
 * edge between two. Edges from one output to the same part share them. A control edge becomes the
 * transfer of an empty constant which waits for the source and for which the target waits. Confined
 * to one call of the partitioner.
 */
final class Transfers {
  /** An output, or a node as something to wait for, that a part needs. */
  private record Need(StepNode source, int index, String location) {}

  private static final int CONTROL = -1;

  private final Cut cut;
  private final Frames frames;
  private final ControlLoops loops;
  private final AddedNodes added;
  private final Map<Need, StepNode> received = new HashMap<>();
  private final Map<String, List<StepNode>> parts = new LinkedHashMap<>();
  private final Map<String, Map<StepNode, String>> roots = new HashMap<>();

  Transfers(Cut cut, Frames frames, ControlLoops loops, AddedNodes added) {
    this.cut = cut;
    this.frames = frames;
    this.loops = loops;
    this.added = added;
  }

  Map<String, StepGraph> cut(StepGraph graph) {
    for (StepNode node : graph.nodes()) {
      connect(node);
      add(node);
      if (graph.isRoot(node)) {
        addRoot(node, graph.rootLabel(node));
      }
    }
    Map<String, StepGraph> graphs = new LinkedHashMap<>();
    parts.forEach(
        (location, nodes) ->
            graphs.put(location, new StepGraph(nodes, roots.getOrDefault(location, Map.of()))));
    return graphs;
  }

  private void connect(StepNode node) {
    boolean crossedDevices = Cut.reachesAnotherDevice(node);
    node.inputs()
        .replaceAll(input -> cut.isBetween(input.node(), node) ? value(input, node) : input);
    node.controlInputs()
        .replaceAll(source -> cut.isBetween(source, node) ? signal(source, node) : source);
    if (crossedDevices && Cut.reachesAnotherDevice(node)) {
      // The task that gets the node will cut here, and finds the control loop by this edge.
      loops.pulse(frames.of(node), node.device()).ifPresent(node.controlInputs()::add);
    }
  }

  private Source value(Source source, StepNode target) {
    Need need = new Need(source.node(), source.index(), cut.location(target));
    StepNode recv = received.get(need);
    if (recv == null) {
      recv = transfer(source, target);
      received.put(need, recv);
    }
    return new Source(recv, 0);
  }

  private StepNode signal(StepNode source, StepNode target) {
    Need need = new Need(source, CONTROL, cut.location(target));
    StepNode known = received.get(need);
    if (known != null) {
      return known;
    }
    StepNode nothing = added.nothing(source.name() + "/ctrl", source.device());
    nothing.controlInputs().add(source);
    add(nothing);
    StepNode signal = added.identity(new Source(transfer(new Source(nothing, 0), target), 0));
    add(signal);
    received.put(need, signal);
    return signal;
  }

  private StepNode transfer(Source value, StepNode target) {
    String tensorName = added.tensorName(value.node());
    StepNode send = added.send(value, tensorName, target.device());
    add(send);
    addRoot(send, "");
    StepNode recv = added.recv(value, tensorName, target.device());
    loops.pulse(frames.of(target), target.device()).ifPresent(recv.controlInputs()::add);
    add(recv);
    return recv;
  }

  private void add(StepNode node) {
    parts.computeIfAbsent(cut.location(node), key -> new ArrayList<>()).add(node);
  }

  private void addRoot(StepNode node, String label) {
    roots.computeIfAbsent(cut.location(node), key -> new LinkedHashMap<>()).put(node, label);
  }
}
