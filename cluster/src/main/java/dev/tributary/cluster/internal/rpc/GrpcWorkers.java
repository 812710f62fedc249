package dev.tributary.cluster.internal.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.internal.stream.StreamUse;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Timer;
import dev.tributary.security.ChannelSecurity;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The workers of a cluster as one of its tasks reaches them: its own directly, each other one by a
 * channel that is made when it is first asked for. Owns its channels, not its own worker; {@link
 * #close} ends calls that are under way. Safe for use by many threads.
 */
public final class GrpcWorkers implements Workers, AutoCloseable {
  private final RpcThreads threads;
  private final boolean ownsThreads;

  /** Guards {@link #remote} and {@link #closed}. */
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Map<TaskName, GrpcWorker> remote = new HashMap<>();

  private final ClusterSpec cluster;
  private final TaskName self;
  private final WorkerInterface own;
  private final CallerSecurity security;
  private final TaskMemory memory;
  private final Duration silenceLimit;
  private final StreamUse streams;

  @GuardedBy("lock")
  private boolean closed;

  /** In plain text; tensors come by gRPC alone. */
  public GrpcWorkers(
      ClusterSpec cluster, TaskName self, WorkerInterface own, Duration silenceLimit) {
    this(
        cluster,
        self,
        own,
        CallerSecurity.of(ChannelSecurity.none()),
        TaskMemory.unlimited(),
        silenceLimit,
        StreamUse.NONE,
        new RpcThreads(),
        true);
  }

  /**
   * @param memory takes what other tasks send
   * @param silenceLimit after how much silence a task that calls wait for counts as lost
   * @param streams which of the streams that workers offer are used
   * @param timer must outlive these workers
   */
  public GrpcWorkers(
      ClusterSpec cluster,
      TaskName self,
      WorkerInterface own,
      ChannelSecurity security,
      TaskMemory memory,
      Duration silenceLimit,
      StreamUse streams,
      Timer timer) {
    this(
        cluster,
        self,
        own,
        CallerSecurity.of(security),
        memory,
        silenceLimit,
        streams,
        new RpcThreads(timer),
        true);
  }

  private GrpcWorkers(
      ClusterSpec cluster,
      TaskName self,
      WorkerInterface own,
      CallerSecurity security,
      TaskMemory memory,
      Duration silenceLimit,
      StreamUse streams,
      RpcThreads threads,
      boolean ownsThreads) {
    this.cluster = cluster;
    this.self = self;
    this.own = own;
    this.security = security;
    this.memory = memory;
    this.silenceLimit = silenceLimit;
    this.streams = streams;
    this.threads = threads;
    this.ownsThreads = ownsThreads;
  }

  /**
   * Workers of another cluster, in which this task has another name; with channels of their own on
   * the threads of these. They must be closed first.
   */
  public GrpcWorkers inCluster(ClusterSpec other, TaskName name) {
    return new GrpcWorkers(
        other, name, own, security, memory, silenceLimit, streams, threads, false);
  }

  @Override
  public List<TaskName> tasks() {
    return cluster.tasks();
  }

  @Override
  public WorkerInterface worker(TaskName task) {
    if (task.equals(self)) {
      return own;
    }
    synchronized (lock) {
      GrpcWorker known = remote.get(task);
      return known != null ? known : connect(task);
    }
  }

  @Override
  public Optional<Duration> lastHeard(TaskName task) {
    if (task.equals(self)) {
      return Optional.of(Duration.ZERO);
    }
    synchronized (lock) {
      return Optional.ofNullable(remote.get(task)).flatMap(GrpcWorker::lastHeard);
    }
  }

  @Override
  public Optional<String> lastFailure(TaskName task) {
    synchronized (lock) {
      return Optional.ofNullable(remote.get(task)).flatMap(GrpcWorker::lastFailure);
    }
  }

  @GuardedBy("lock")
  private GrpcWorker connect(TaskName task) {
    if (closed) {
      throw TributaryException.failedPrecondition(
          "%s asked for %s after its channels were closed", self, task);
    }
    if (!cluster.tasks().contains(task)) {
      throw TributaryException.internal(
          "No worker known as %s; there are %s", task, cluster.tasks());
    }
    String name = task.toString();
    GrpcWorker worker =
        new GrpcWorker(
            name,
            new Peer(name, cluster.address(task), threads, security, memory, silenceLimit),
            memory,
            streams);
    remote.put(task, worker);
    return worker;
  }

  @Override
  public void close() {
    List<GrpcWorker> open;
    synchronized (lock) {
      closed = true;
      open = List.copyOf(remote.values());
    }
    open.forEach(GrpcWorker::close);
    if (ownsThreads) {
      threads.close();
    }
  }
}
