package dev.tributary.partition;

import dev.tributary.error.TributaryException;
import dev.tributary.plan.StepNode;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Where a graph is cut: which nodes are in one part, and which on one device. Immutable. */
record Cut(Function<String, String> locationOfDevice) {
  String location(StepNode node) {
    if (node.device().isEmpty()) {
      throw TributaryException.internal("%s is to be partitioned, but was not placed", node);
    }
    return locationOfDevice.apply(node.device());
  }

  /** Whether an edge from a node to another goes from one part to another. */
  boolean isBetween(StepNode from, StepNode to) {
    return !from.device().equals(to.device()) && !location(from).equals(location(to));
  }

  /** Whether a node takes something, or waits for something, from another device. */
  static boolean reachesAnotherDevice(StepNode node) {
    Predicate<StepNode> isElsewhere = source -> !source.device().equals(node.device());
    return Stream.concat(
            node.inputs().stream().map(StepNode.Source::node), node.controlInputs().stream())
        .anyMatch(isElsewhere);
  }
}
