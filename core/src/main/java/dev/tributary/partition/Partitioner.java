package dev.tributary.partition;

import dev.tributary.graph.OpRegistry;
import dev.tributary.plan.StepGraph;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Cuts placed step graphs into one graph for each location: a task on a master, a device on a
 * worker. Safe for use by many threads.
 */
public final class Partitioner {
  private final OpRegistry registry;
  private final NodeNames names;
  private final Function<String, String> locationOfDevice;
  private final ToLongFunction<String> incarnationOfDevice;

  /**
   * @param names where the names of added nodes come from; shared by all steps of a session
   * @param locationOfDevice which part a node belongs to, by the full name of its device
   * @param incarnationOfDevice which life of a device is meant, by its full name
   */
  public Partitioner(
      OpRegistry registry,
      NodeNames names,
      Function<String, String> locationOfDevice,
      ToLongFunction<String> incarnationOfDevice) {
    this.registry = registry;
    this.names = names;
    this.locationOfDevice = locationOfDevice;
    this.incarnationOfDevice = incarnationOfDevice;
  }

  /**
   * Partitions a graph of which every node has its device. The graph is used up: its nodes go into
   * the parts.
   *
   * @return the parts by location; only locations that have nodes
   */
  public Map<String, StepGraph> partition(StepGraph graph) {
    throw new UnsupportedOperationException();
  }
}
