package dev.tributary.cluster.worker;

import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.executor.Executor;
import dev.tributary.graph.Graph;
import dev.tributary.graph.OpRegistry;
import dev.tributary.graph.Rewrite;
import dev.tributary.plan.wire.StepGraphDefs;
import dev.tributary.step.DeviceSplit;
import dev.tributary.step.RegisteredGraph;
import dev.tributary.step.SessionDevice;
import dev.tributary.step.UseCount;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.tensorflow.proto.GraphDef;

/**
 * What a worker keeps for one session of a master: the name it has in the session's cluster, its
 * devices there, the tasks it can reach and the graphs that were registered. Safe for use by many
 * threads. Closing lets running steps end before it gives things back.
 */
final class WorkerSession {
  private final String handle;
  private final TaskName task;
  private final Map<String, SessionDevice> devices;
  private final Peers peers;
  private final OpRegistry registry;
  private final Limits limits;
  private final Supplier<GraphThreads> threads;
  private final DeviceSplit split;
  private final AtomicLong nextGraph = new AtomicLong();
  private final Map<String, RegisteredGraph> graphs = new ConcurrentHashMap<>();

  /** The graphs are the users: each may still be run by a step when the session is closed. */
  private final UseCount uses;

  /**
   * @param threads makes those of one more graph
   * @param onEnd gives back what the session has alone, when no step runs in it any more
   */
  WorkerSession(
      String handle,
      TaskName task,
      List<SessionDevice> devices,
      Peers peers,
      OpRegistry registry,
      Limits limits,
      Supplier<GraphThreads> threads,
      Runnable onEnd) {
    this.handle = handle;
    this.task = task;
    this.devices =
        devices.stream()
            .collect(Collectors.toUnmodifiableMap(d -> d.device().name(), Function.identity()));
    this.peers = peers;
    this.registry = registry;
    this.limits = limits;
    this.threads = threads;
    this.split = new DeviceSplit(registry, this.devices);
    this.uses = new UseCount(onEnd);
  }

  String handle() {
    return handle;
  }

  TaskName task() {
    return task;
  }

  Peers peers() {
    return peers;
  }

  /**
   * Makes a partition ready to run; gives its handle.
   *
   * @param bytes its size as a message
   */
  String register(GraphDef partition, long bytes, Set<Rewrite> rewrites) {
    limits.requireGraph("a partition for " + task, partition.getNodeCount(), bytes);
    if (!uses.enter()) {
      throw closed();
    }
    RegisteredGraph graph;
    Graph constants = new Graph(registry);
    try {
      graph =
          RegisteredGraph.compile(
              StepGraphDefs.fromProto(partition, constants),
              devices,
              split,
              rewrites,
              new Executor(threads.get(), true),
              () -> {
                constants.close();
                uses.leave();
              });
    } catch (RuntimeException | Error e) {
      constants.close();
      uses.leave();
      throw e;
    }
    String graphHandle = String.format(Locale.ROOT, "%016x", nextGraph.incrementAndGet());
    graphs.put(graphHandle, graph);
    if (uses.isClosed()) {
      deregister(
          graphHandle); // Closing may have gone through the graphs before this one was there.
      throw closed();
    }
    return graphHandle;
  }

  /** A graph that a step may run; it must leave it when it has ended. */
  RegisteredGraph enterGraph(String graphHandle) {
    RegisteredGraph graph = graphs.get(graphHandle);
    if (graph == null || !graph.enter()) {
      throw unknownGraph(graphHandle);
    }
    return graph;
  }

  void deregister(String graphHandle) {
    RegisteredGraph graph = graphs.remove(graphHandle);
    if (graph == null) {
      throw unknownGraph(graphHandle);
    }
    graph.close();
  }

  void close() {
    uses.close();
    for (String graphHandle : graphs.keySet()) {
      RegisteredGraph graph = graphs.remove(graphHandle);
      if (graph != null) {
        graph.close();
      }
    }
  }

  private TributaryException unknownGraph(String graphHandle) {
    return new TributaryException(
        ErrorCode.ABORTED,
        "Graph handle is not found: "
            + graphHandle
            + ". Possibly this worker (\""
            + task
            + "\") just restarted.");
  }

  private TributaryException closed() {
    return new TributaryException(
        ErrorCode.ABORTED, "session " + handle + " on " + task + " was closed");
  }
}
