package dev.tributary.internal.step;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Rewrite;
import dev.tributary.internal.concurrent.UseCount;
import dev.tributary.internal.executor.ExecutableGraph;
import dev.tributary.internal.executor.Executor;
import dev.tributary.internal.executor.GraphCompiler;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.rewrite.FoldedConstants;
import dev.tributary.internal.rewrite.Rewrites;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A graph of a session that is ready to run: one executable graph for each device that has nodes of
 * it. Owns the constants that were computed for it. Immutable but for its end: steps {@link #enter}
 * before they run it, and what it owns is given back when it is closed and the last step has left.
 */
public final class RegisteredGraph {
  /** The part that runs on one device. */
  private record Part(StepGraph graph, ExecutableGraph executable, FoldedConstants constants) {}

  private final List<Part> parts;
  private final ExecutableGraph[] executables;
  private final Executor executor;
  private final UseCount uses;

  private RegisteredGraph(
      List<Part> parts, StepFunctions functions, Executor executor, Runnable onEnd) {
    this.parts = parts;
    this.executables = parts.stream().map(Part::executable).toArray(ExecutableGraph[]::new);
    this.executor = executor;
    this.uses =
        new UseCount(
            () -> {
              release(parts, functions);
              onEnd.run();
            });
  }

  /**
   * Checks, splits, rewrites and compiles a graph of which every node has its device. The graph is
   * used up.
   *
   * @param functions has the functions that kernels call
   * @param devices those of the session, by full name
   * @param executor runs the graph's nodes
   * @param onEnd called when the graph holds nothing any more; not if this fails
   */
  public static RegisteredGraph compile(
      StepGraph graph,
      Graph functions,
      Map<String, SessionDevice> devices,
      DeviceSplit split,
      Set<Rewrite> rewrites,
      Executor executor,
      Runnable onEnd) {
    return compile(
        graph,
        functions,
        devices,
        split,
        rewrites,
        executor,
        onEnd,
        StepFunctions.nodesFor(functions));
  }

  /**
   * @param nodesLeft the nodes that functions which kernels call may still have
   */
  static RegisteredGraph compile(
      StepGraph graph,
      Graph functions,
      Map<String, SessionDevice> devices,
      DeviceSplit split,
      Set<Rewrite> rewrites,
      Executor executor,
      Runnable onEnd,
      AtomicInteger nodesLeft) {
    requireKnownDevices(graph, devices);
    List<Part> parts = new ArrayList<>();
    StepFunctions callable =
        new StepFunctions(functions, devices, split, rewrites, executor, nodesLeft);
    try {
      split
          .byDevice(graph)
          .forEach((name, part) -> add(part, devices.get(name), rewrites, callable, parts));
      return new RegisteredGraph(parts, callable, executor, onEnd);
    } catch (RuntimeException | Error e) {
      release(parts, callable);
      throw e;
    }
  }

  /** Returns whether a step may run this; it must {@link #leave} when it has ended. */
  public boolean enter() {
    return uses.enter();
  }

  public void leave() {
    uses.leave();
  }

  /** Returns whether a step runs this. */
  public boolean isRunning() {
    return uses.isUsed();
  }

  public void close() {
    uses.close();
  }

  /** Runs the {@link #executables}. */
  Executor executor() {
    return executor;
  }

  ExecutableGraph[] executables() {
    return executables;
  }

  /** The graphs as they run, one for each device. Only for those who have entered. */
  public List<StepGraph> partitions() {
    return parts.stream().map(Part::graph).toList();
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
      StepGraph graph,
      SessionDevice device,
      Set<Rewrite> rewrites,
      StepFunctions functions,
      List<Part> parts) {
    FoldedConstants folded = Rewrites.run(graph, device.device(), rewrites);
    try {
      parts.add(
          new Part(
              graph,
              GraphCompiler.compile(graph, device.device(), device.kernels(), functions),
              folded));
    } catch (RuntimeException | Error e) {
      folded.close();
      throw e;
    }
  }

  private static void release(List<Part> parts, StepFunctions functions) {
    functions.close();
    parts.forEach(part -> part.constants().close());
  }
}
