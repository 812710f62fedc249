package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Rewrite;
import dev.tributary.internal.collective.CollectiveRuntime;
import dev.tributary.internal.concurrent.UseCount;
import dev.tributary.internal.executor.Executor;
import dev.tributary.internal.function.FunctionExpansion;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.memory.MemoryAccount;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.placement.Placer;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.wire.ConstantBytes;
import dev.tributary.internal.plan.wire.StepGraphDefs;
import dev.tributary.internal.step.DeviceSplit;
import dev.tributary.internal.step.RegisteredGraph;
import dev.tributary.internal.step.SessionDevice;
import java.util.HashMap;
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
 * The part of a master's session on one worker: the worker's name in the session's cluster, its
 * devices there, the tasks it can reach and the graphs that were registered. Safe for use by many
 * threads. Closing lets running steps end before it gives things back.
 */
final class WorkerSession {
  private final String handle;
  private final TaskName task;
  private final Map<String, SessionDevice> devices;
  private final Peers peers;
  private final CollectiveRuntime collectives;
  private final OpRegistry registry;
  private final Limits limits;
  private final SessionMemory memory;
  private final Supplier<Executor> executors;
  private final DeviceSplit split;
  private final AtomicLong nextGraph = new AtomicLong();
  private final Map<String, RegisteredGraph> graphs = new ConcurrentHashMap<>();

  /** The keys of those graphs that have collectives. */
  private final Map<String, Long> collectiveKeys = new ConcurrentHashMap<>();

  /** The graphs are the users: each may still be run by a step when the session is closed. */
  private final UseCount uses;

  /**
   * @param memory counts what it holds between steps
   * @param executors makes that of one more graph
   * @param onEnd gives back what the session has alone, when no step runs in it any more
   */
  WorkerSession(
      String handle,
      TaskName task,
      List<SessionDevice> devices,
      Peers peers,
      CollectiveRuntime collectives,
      OpRegistry registry,
      Limits limits,
      SessionMemory memory,
      Supplier<Executor> executors,
      Runnable onEnd) {
    this.handle = handle;
    this.task = task;
    this.devices =
        devices.stream()
            .collect(Collectors.toUnmodifiableMap(d -> d.device().name(), Function.identity()));
    this.peers = peers;
    this.collectives = collectives;
    this.registry = registry;
    this.limits = limits;
    this.memory = memory;
    this.executors = executors;
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

  CollectiveRuntime collectives() {
    return collectives;
  }

  /** Returns whether a step runs one of its graphs. */
  boolean isBusy() {
    return graphs.values().stream().anyMatch(RegisteredGraph::isRunning);
  }

  /** Counts the values that came for steps which have not begun here. */
  MemoryAccount unclaimed() {
    return memory.unclaimed();
  }

  /**
   * Makes a partition ready to run; gives its handle.
   *
   * @param bytes its size as a message
   * @param collectiveKey the key of its collectives, 0 if it has none
   */
  String register(GraphDef partition, long bytes, Set<Rewrite> rewrites, long collectiveKey) {
    limits.requireGraph("a partition for " + task, partition.getNodeCount(), bytes);
    if (!uses.enter()) {
      throw closed();
    }
    RegisteredGraph graph;
    Graph constants = new Graph(registry);
    FunctionLibrary.of(constants).limitNodes(limits.graphNodes());
    long constantBytes = ConstantBytes.of(partition);
    boolean counted = false;
    try {
      memory.constants().reserve(constantBytes);
      counted = true;
      graph =
          RegisteredGraph.compile(
              expanded(StepGraphDefs.fromProto(partition, constants), constants),
              constants,
              devices,
              split,
              rewrites,
              executors.get(),
              () -> {
                constants.close();
                memory.constants().release(constantBytes);
                uses.leave();
              });
    } catch (RuntimeException | Error e) {
      constants.close();
      memory.constants().release(counted ? constantBytes : 0);
      uses.leave();
      throw e;
    }
    String graphHandle = String.format(Locale.ROOT, "%016x", nextGraph.incrementAndGet());
    if (collectiveKey != 0) {
      collectiveKeys.put(graphHandle, collectiveKey);
    }
    graphs.put(graphHandle, graph);
    if (uses.isClosed()) {
      deregister(
          graphHandle); // Closing may have gone through the graphs before this one was there.
      throw closed();
    }
    return graphHandle;
  }

  /**
   * A partition without calls of functions, which another master may leave to its workers. What the
   * calls stand for goes on devices of this task.
   */
  private StepGraph expanded(StepGraph partition, Graph functions) {
    if (FunctionExpansion.expand(partition, functions)) {
      Map<String, String> placed = new HashMap<>();
      partition.nodes().stream()
          .filter(node -> !node.device().isEmpty())
          .forEach(node -> placed.put(node.name(), node.device()));
      new Placer(
              devices.keySet().stream().sorted().toList(),
              task.toString(),
              true,
              (op, type) -> type.equals("CPU"))
          .place(partition, placed);
    }
    return partition;
  }

  /** A graph that a step may run; it must leave it when it has ended. */
  RegisteredGraph enterGraph(String graphHandle) {
    RegisteredGraph graph = graphs.get(graphHandle);
    if (graph == null || !graph.enter()) {
      throw unknownGraph(graphHandle);
    }
    return graph;
  }

  /** The key of a graph's collectives; 0 if it has none. */
  long collectiveKey(String graphHandle) {
    return collectiveKeys.getOrDefault(graphHandle, 0L);
  }

  void deregister(String graphHandle) {
    collectiveKeys.remove(graphHandle);
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
