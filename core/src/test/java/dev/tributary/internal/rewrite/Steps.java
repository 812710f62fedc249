package dev.tributary.internal.rewrite;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.kernel.plain.PlainBackend;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.plan.Pruner;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.testing.TinyOps;
import java.util.List;

/** Step graphs and a device for tests of single passes. */
final class Steps {
  private Steps() {}

  static StepGraph fetching(TinyOps tf, Output... fetches) {
    return fetching(tf.graph(), fetches);
  }

  static StepGraph fetching(Graph graph, Output... fetches) {
    return Pruner.prune(graph, new StepSignature(List.of(), List.of(fetches), List.of()));
  }

  static StepGraph running(TinyOps tf, Operation... targets) {
    return Pruner.prune(tf.graph(), new StepSignature(List.of(), List.of(), List.of(targets)));
  }

  static Device device() {
    return new Device(
        "/job:localhost/replica:0/task:0/device:CPU:0",
        Allocator.shared(),
        new PlainBackend(ParallelFor.INLINE),
        new ResourceContainers());
  }

  /** How many nodes of an op there are. */
  static long count(StepGraph graph, String op) {
    return graph.nodes().stream().filter(n -> n.declaration().name().equals(op)).count();
  }
}
