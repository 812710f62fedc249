package dev.tributary.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.graph.Rewrite;
import dev.tributary.internal.executor.Executor;
import dev.tributary.internal.function.FunctionExpansion;
import dev.tributary.internal.placement.Placer;
import dev.tributary.internal.plan.Boundary;
import dev.tributary.internal.plan.CallBoundary;
import dev.tributary.internal.plan.ClientBoundary;
import dev.tributary.internal.plan.FeedDependencies;
import dev.tributary.internal.plan.Pruner;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.internal.step.DeviceSplit;
import dev.tributary.internal.step.RegisteredGraph;
import dev.tributary.internal.step.SessionDevice;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Prepares steps of a local session: prunes its graph, places what is left on the session's
 * devices, rewrites and compiles it. Nodes with state stay where a step first had them. Safe for
 * use by many threads.
 */
final class StepCompiler {
  private final Graph graph;
  private final LocalDevices devices;
  private final Set<Rewrite> rewrites;
  private final Executor executor;
  private final Placer placer;
  private final DeviceSplit split;
  private final ClientBoundary client;

  /** The devices of nodes by name, and of how many nodes. */
  @GuardedBy("this")
  private Map<String, String> placed = new HashMap<>();

  @GuardedBy("this")
  private int placedNodes;

  StepCompiler(Graph graph, LocalDevices devices, Executor executor, SessionOptions options) {
    this.graph = graph;
    this.devices = devices;
    this.rewrites = options.rewrites();
    this.executor = executor;
    this.placer =
        new Placer(
            devices.names(),
            devices.first().device().name(),
            options.softPlacement(),
            (op, type) -> type.equals("CPU"));
    this.split = new DeviceSplit(graph.registry(), devices.byName());
    SessionDevice first = devices.first();
    this.client = new ClientBoundary(first.device().name(), first.incarnation(), graph.registry());
  }

  /** A step that is called with its feeds, which it has all at once. */
  RegisteredGraph compile(StepSignature signature) {
    return compile(signature, new CallBoundary(graph.registry()));
  }

  /** A step that finds its feeds in the rendezvous, under the keys of {@link #client}. */
  PartialGraph compilePartial(StepSignature signature) {
    RegisteredGraph registered = compile(signature, client);
    Map<String, Set<String>> feedsOfFetches = new HashMap<>();
    FeedDependencies.of(signature)
        .forEach((fetch, feeds) -> feedsOfFetches.put(fetch.name(), names(feeds)));
    return new PartialGraph(registered, feedsOfFetches);
  }

  ClientBoundary client() {
    return client;
  }

  private RegisteredGraph compile(StepSignature signature, Boundary boundary) {
    StepGraph step = Pruner.prune(graph, signature, boundary);
    FunctionExpansion.expand(step, graph);
    if (devices.names().size() == 1) {
      placer.place(step);
    } else {
      place(step);
    }
    return RegisteredGraph.compile(
        step, graph, devices.byName(), split, rewrites, executor, () -> {});
  }

  /**
   * Places a step as the whole graph would be placed, so that it makes no difference which step
   * comes first.
   */
  private synchronized void place(StepGraph step) {
    if (placedNodes != graph.size()) {
      placedNodes = graph.size();
      try {
        placed = placer.placeWhole(FunctionExpansion.whole(graph, graph.operations()), placed);
      } catch (TributaryException e) {
        // Some node cannot be placed. If this step needs it, the step fails below.
      }
    }
    placer.place(step, placed);
    for (StepNode node : step.nodes()) {
      if (node.declaration().def().isStateful()) {
        placed.put(node.name(), node.device());
      }
    }
  }

  private static Set<String> names(Set<Output> outputs) {
    return outputs.stream().map(Output::name).collect(Collectors.toSet());
  }
}
