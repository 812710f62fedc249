package dev.tributary.internal.step;

import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.partition.GraphPartitioner;
import dev.tributary.internal.partition.NodeNames;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Splits the steps of a session by device. Names of added nodes never repeat in a session, as its
 * kernels are kept by name.
 */
public final class DeviceSplit {
  private final GraphPartitioner partitioner;

  /**
   * @param devices those of the session, by full name
   */
  public DeviceSplit(OpRegistry registry, Map<String, SessionDevice> devices) {
    partitioner =
        new GraphPartitioner(
            registry,
            NodeNames.ofWorker(),
            Function.identity(),
            device -> devices.get(device).incarnation());
  }

  /** Returns the parts by the full names of their devices. */
  public Map<String, StepGraph> byDevice(StepGraph graph) {
    Set<String> used = graph.nodes().stream().map(StepNode::device).collect(Collectors.toSet());
    return switch (used.size()) {
      case 0 -> Map.of();
      case 1 -> Map.of(used.iterator().next(), graph);
      default -> partitioner.partition(graph);
    };
  }
}
