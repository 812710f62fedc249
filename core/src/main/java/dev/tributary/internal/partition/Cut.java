package dev.tributary.internal.partition;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.plan.StepNode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The cuts of a graph: which nodes are in one part, and which on one device. Asks once for the
 * location of a device. Safe for use by many threads.
 */
final class Cut {
  private final Function<String, String> locationOfDevice;
  private final Map<String, String> locations = new ConcurrentHashMap<>();

  Cut(Function<String, String> locationOfDevice) {
    this.locationOfDevice = locationOfDevice;
  }

  String location(StepNode node) {
    if (node.device().isEmpty()) {
      throw TributaryException.internal("%s is to be partitioned, but was not placed", node);
    }
    return locations.computeIfAbsent(node.device(), locationOfDevice);
  }

  /** Returns whether an edge from a node to another goes from one part to another. */
  boolean isBetween(StepNode from, StepNode to) {
    return !from.device().equals(to.device()) && !location(from).equals(location(to));
  }

  /** Returns whether a node takes something, or waits for something, from another device. */
  static boolean reachesAnotherDevice(StepNode node) {
    for (StepNode.Source input : node.inputs()) {
      if (!input.node().device().equals(node.device())) {
        return true;
      }
    }
    for (StepNode control : node.controlInputs()) {
      if (!control.device().equals(node.device())) {
        return true;
      }
    }
    return false;
  }
}
