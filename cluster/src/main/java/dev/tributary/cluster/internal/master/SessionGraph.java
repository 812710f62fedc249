package dev.tributary.cluster.internal.master;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.GraphPart;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.internal.function.FunctionExpansion;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.memory.MemoryAccount;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.placement.Placer;
import dev.tributary.internal.plan.Boundary;
import dev.tributary.internal.plan.Pruner;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepSignature;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A session's graph, which clients extend, and the device of each of its nodes. It is placed as a
 * whole whenever it grows; nodes with state stay where they are. An extension that is refused
 * leaves everything as it was. Guarded by its own monitor, under which steps are planned, too.
 */
final class SessionGraph implements AutoCloseable {
  private final Graph graph;
  private final Limits limits;
  private final MemoryAccount constants;

  @GuardedBy("this")
  private long constantBytes;

  /** The part of them that the largest library has. */
  @GuardedBy("this")
  private long libraryConstantBytes;

  /** The size of the messages of all nodes. */
  @GuardedBy("this")
  private long nodeBytes;

  /** The size of the largest library: clients send it again with each extension. */
  @GuardedBy("this")
  private long libraryBytes;

  @GuardedBy("this")
  private int producer;

  @GuardedBy("this")
  private long version;

  @GuardedBy("this")
  private Optional<Placer> placer = Optional.empty();

  @GuardedBy("this")
  private Map<String, String> devices = Map.of();

  /**
   * A graph whose nodes have no devices yet; fails if they have a fault.
   *
   * @param constants counts those of the graph
   */
  SessionGraph(OpRegistry registry, GraphPart part, Limits limits, MemoryAccount constants) {
    this.limits = limits;
    this.constants = constants;
    libraryBytes = part.libraryBytes();
    nodeBytes = part.nodeBytes();
    limits.requireGraph("the session's graph", part.nodeCount(), nodeBytes + libraryBytes);
    graph = new Graph(registry);
    FunctionLibrary.of(graph).limitNodes(limits.graphNodes());
    producer = part.producer();
    takeIn(part, operations -> {});
  }

  @GuardedBy("this")
  private void takeIn(GraphPart part, Consumer<List<Operation>> check) {
    long ofLibrary = Math.max(libraryConstantBytes, part.libraryConstantBytes());
    long more = part.constantBytes() + ofLibrary - libraryConstantBytes;
    constants.reserve(more);
    try {
      part.addTo(graph, check);
      constantBytes += more;
      libraryConstantBytes = ofLibrary;
    } catch (RuntimeException | Error e) {
      constants.release(more);
      throw e;
    }
  }

  /** Gives all nodes their devices, also those that come later. */
  synchronized void place(Placer devicePlacer) {
    placer = Optional.of(devicePlacer);
    devices = placed(List.of());
  }

  /** Adds nodes and gives the new version of the graph. */
  synchronized long extend(GraphPart part, long expectedVersion) {
    if (expectedVersion != version) {
      throw new TributaryException(
          ErrorCode.ABORTED,
          String.format("Current version is %d but caller expected %d.", version, expectedVersion));
    }
    if (graph.size() > 0 && part.producer() != producer) {
      throw TributaryException.invalidArgument(
          "the session's graph was made by version %d, its extension by version %d",
          producer, part.producer());
    }
    long library = Math.max(libraryBytes, part.libraryBytes());
    long nodes = nodeBytes + part.nodeBytes();
    limits.requireGraph(
        "the session's extended graph", (long) graph.size() + part.nodeCount(), nodes + library);
    Map<String, String> extended = new HashMap<>();
    takeIn(part, more -> extended.putAll(placed(more)));
    devices = extended;
    nodeBytes = nodes;
    libraryBytes = library;
    producer = part.producer();
    return ++version;
  }

  Graph graph() {
    return graph;
  }

  /** Returns the part of the graph that a step needs; each node of the graph has its device. */
  synchronized StepGraph prune(StepSignature signature, Boundary boundary) {
    StepGraph step = Pruner.prune(graph, signature, boundary);
    FunctionExpansion.expand(step, graph);
    for (StepNode node : step.nodes()) {
      String device = devices.get(node.name());
      if (device != null) {
        node.place(device);
      }
    }
    return step;
  }

  /** The device of each node, by name. */
  synchronized Map<String, String> devices() {
    return devices;
  }

  @Override
  public synchronized void close() {
    graph.close();
    constants.release(constantBytes);
    constantBytes = 0;
  }

  private synchronized Map<String, String> placed(List<Operation> more) {
    List<Operation> all = new ArrayList<>(graph.operations());
    all.addAll(more);
    return placer
        .map(p -> p.placeWhole(FunctionExpansion.whole(graph, all), devices))
        .orElse(Map.of());
  }
}
