package dev.tributary.cluster.rpc;

import dev.tributary.cluster.protocol.WorkerInterface;
import dev.tributary.cluster.protocol.Workers;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The workers of a cluster as one of its tasks reaches them: its own directly, each other one by a
 * channel that is made when it is first asked for. Owns channels and threads, not its own worker;
 * {@link #close} ends calls that are under way. Safe for use by many threads.
 */
public final class GrpcWorkers implements Workers, AutoCloseable {
  private final RpcThreads threads = new RpcThreads();
  private final Map<TaskName, GrpcWorker> remote = new ConcurrentHashMap<>();
  private final ClusterSpec cluster;
  private final TaskName self;
  private final WorkerInterface own;

  public GrpcWorkers(ClusterSpec cluster, TaskName self, WorkerInterface own) {
    this.cluster = cluster;
    this.self = self;
    this.own = own;
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
    if (!cluster.tasks().contains(task)) {
      throw TributaryException.internal(
          "No worker known as %s; there are %s", task, cluster.tasks());
    }
    return remote.computeIfAbsent(
        task, unknown -> new GrpcWorker(new Peer(task.toString(), cluster.address(task), threads)));
  }

  @Override
  public void close() {
    remote.values().forEach(GrpcWorker::close);
    threads.close();
  }
}
