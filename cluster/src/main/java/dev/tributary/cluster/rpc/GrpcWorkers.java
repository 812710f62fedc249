package dev.tributary.cluster.rpc;

import dev.tributary.cluster.protocol.WorkerInterface;
import dev.tributary.cluster.protocol.Workers;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The workers of a cluster as one of its tasks reaches them: its own directly, each other one by a
 * channel that is made when it is first asked for. Owns channels and threads, not its own worker;
 * {@link #close} ends calls that are under way. Safe for use by many threads.
 */
public final class GrpcWorkers implements Workers, AutoCloseable {
  private final RpcThreads threads = new RpcThreads();

  /** Guards {@link #remote} and {@link #closed}. */
  private final Object lock = new Object();

  private final Map<TaskName, GrpcWorker> remote = new HashMap<>();
  private final ClusterSpec cluster;
  private final TaskName self;
  private final WorkerInterface own;
  private final boolean streams;
  private boolean closed;

  /** Workers whose tensors come by gRPC alone. */
  public GrpcWorkers(ClusterSpec cluster, TaskName self, WorkerInterface own) {
    this(cluster, self, own, false);
  }

  /**
   * @param streams whether tensors come through the streams that workers on this machine offer
   */
  public GrpcWorkers(ClusterSpec cluster, TaskName self, WorkerInterface own, boolean streams) {
    this.cluster = cluster;
    this.self = self;
    this.own = own;
    this.streams = streams;
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
        new GrpcWorker(name, new Peer(name, cluster.address(task), threads), streams);
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
    threads.close();
  }
}
