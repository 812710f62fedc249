package dev.tributary.cluster.master;

import dev.tributary.cluster.spec.Limits;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.OpRegistry;
import dev.tributary.graph.Operation;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.graph.wire.ImportOptions;
import dev.tributary.placement.Placer;
import dev.tributary.plan.Boundary;
import dev.tributary.plan.Pruner;
import dev.tributary.plan.StepGraph;
import dev.tributary.plan.StepNode;
import dev.tributary.plan.StepSignature;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.GraphDef;

/**
 * A session's graph, which clients extend, and the device of each of its nodes. It is placed as a
 * whole whenever it grows; nodes with state stay where they are. An extension that is refused
 * leaves everything as it was. Guarded by its own monitor, under which steps are planned, too.
 */
final class SessionGraph implements AutoCloseable {
  private final Graph graph;
  private final Limits limits;
  private long bytes;
  private int producer;
  private long version;
  private Optional<Placer> placer = Optional.empty();
  private Map<String, String> devices = Map.of();

  /** A graph whose nodes have no devices yet; fails if the message has a fault. */
  SessionGraph(OpRegistry registry, GraphDef def, Limits limits) {
    this.limits = limits;
    bytes = def.getSerializedSize();
    limits.requireGraph("the session's graph", def.getNodeCount(), bytes);
    graph = new Graph(registry);
    producer = def.getVersions().getProducer();
    GraphDefs.importInto(graph, def);
  }

  /** Gives all nodes their devices, also those that come later. */
  synchronized void place(Placer devicePlacer) {
    placer = Optional.of(devicePlacer);
    devices = placed(List.of());
  }

  /** Adds nodes and gives the new version of the graph. */
  synchronized long extend(GraphDef def, long expectedVersion) {
    if (expectedVersion != version) {
      throw new TributaryException(
          ErrorCode.ABORTED,
          String.format("Current version is %d but caller expected %d.", version, expectedVersion));
    }
    if (graph.size() > 0 && def.getVersions().getProducer() != producer) {
      throw TributaryException.invalidArgument(
          "the session's graph was made by version %d, its extension by version %d",
          producer, def.getVersions().getProducer());
    }
    long extendedBytes = bytes + def.getSerializedSize();
    limits.requireGraph(
        "the session's extended graph", (long) graph.size() + def.getNodeCount(), extendedBytes);
    Map<String, String> extended = new HashMap<>();
    GraphDefs.importInto(
        graph,
        def,
        ImportOptions.builder()
            .allowExisting()
            .check(more -> extended.putAll(placed(more)))
            .build());
    devices = extended;
    bytes = extendedBytes;
    producer = def.getVersions().getProducer();
    return ++version;
  }

  Graph graph() {
    return graph;
  }

  /** What a step needs of the graph; each node that is from there has its device. */
  synchronized StepGraph prune(StepSignature signature, Boundary boundary) {
    StepGraph step = Pruner.prune(graph, signature, boundary);
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
  }

  private Map<String, String> placed(List<Operation> more) {
    List<Operation> all = new ArrayList<>(graph.operations());
    all.addAll(more);
    return placer.map(p -> p.placeWhole(all, devices)).orElse(Map.of());
  }
}
