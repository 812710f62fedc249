package dev.tributary.cluster.worker;

import dev.tributary.error.TributaryException;
import dev.tributary.executor.ExecutableGraph;
import dev.tributary.executor.Executor;
import dev.tributary.executor.GraphCompiler;
import dev.tributary.graph.Graph;
import dev.tributary.graph.OpRegistry;
import dev.tributary.graph.Rewrite;
import dev.tributary.plan.StepGraph;
import dev.tributary.plan.StepNode;
import dev.tributary.plan.wire.StepGraphDefs;
import dev.tributary.rewrite.FoldedConstants;
import dev.tributary.rewrite.Rewrites;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tensorflow.proto.GraphDef;

/**
 * A partition that a master gave to a session, ready to run: one executable graph for each device
 * that has nodes of it. Owns the constants in it. Immutable but for its end: steps {@link #enter}
 * before they run it, and what it owns is given back when it is closed and the last step has left.
 */
final class RegisteredGraph {
  /** What runs on one device. */
  private record Part(StepGraph graph, ExecutableGraph executable, FoldedConstants constants) {}

  private final Graph constants;
  private final List<Part> parts;
  private final List<ExecutableGraph> executables;
  private final Executor executor;
  private final UseCount uses;

  private RegisteredGraph(Graph constants, List<Part> parts, GraphThreads threads, Runnable onEnd) {
    this.constants = constants;
    this.executor = new Executor(threads, true);
    this.parts = parts;
    this.executables = parts.stream().map(Part::executable).toList();
    this.uses =
        new UseCount(
            () -> {
              release(constants, parts);
              onEnd.run();
            });
  }

  /**
   * Checks, splits, rewrites and compiles a partition.
   *
   * @param devices those of the session, by full name
   * @param threads where its nodes run
   * @param onEnd called when the graph holds nothing any more; not if this fails
   */
  static RegisteredGraph compile(
      GraphDef partition,
      Map<String, SessionDevice> devices,
      OpRegistry registry,
      DeviceSplit split,
      Set<Rewrite> rewrites,
      GraphThreads threads,
      Runnable onEnd) {
    Graph constants = new Graph(registry);
    List<Part> parts = new ArrayList<>();
    try {
      StepGraph graph = StepGraphDefs.fromProto(partition, constants);
      requireKnownDevices(graph, devices);
      split.byDevice(graph).forEach((name, part) -> add(part, devices.get(name), rewrites, parts));
      return new RegisteredGraph(constants, parts, threads, onEnd);
    } catch (RuntimeException | Error e) {
      release(constants, parts);
      throw e;
    }
  }

  /** Whether a step may run this; it must {@link #leave} when it has ended. */
  boolean enter() {
    return uses.enter();
  }

  void leave() {
    uses.leave();
  }

  void close() {
    uses.close();
  }

  /** Runs the {@link #executables}. */
  Executor executor() {
    return executor;
  }

  List<ExecutableGraph> executables() {
    return executables;
  }

  /** The graphs as they run, one for each device. Only for those who have entered. */
  List<GraphDef> partitionGraphs() {
    return parts.stream().map(part -> StepGraphDefs.toProto(part.graph())).toList();
  }

  private static void requireKnownDevices(StepGraph graph, Map<String, SessionDevice> devices) {
    for (StepNode node : graph.nodes()) {
      if (!devices.containsKey(node.device())) {
        throw TributaryException.invalidArgument(
            "%s: %s unknown device. This worker has %s", node, node.device(), devices.keySet());
      }
    }
  }

  private static void add(
      StepGraph graph, SessionDevice device, Set<Rewrite> rewrites, List<Part> parts) {
    FoldedConstants folded = Rewrites.run(graph, device.device(), rewrites);
    try {
      parts.add(
          new Part(graph, GraphCompiler.compile(graph, device.device(), device.kernels()), folded));
    } catch (RuntimeException | Error e) {
      folded.close();
      throw e;
    }
  }

  private static void release(Graph constants, List<Part> parts) {
    parts.forEach(part -> part.constants().close());
    constants.close();
  }
}
