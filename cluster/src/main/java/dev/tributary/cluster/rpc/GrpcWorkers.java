package dev.tributary.cluster.rpc;

import dev.tributary.cluster.protocol.WorkerInterface;
import dev.tributary.cluster.protocol.Workers;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import java.util.List;

/** The workers of a cluster, each behind a channel of its own; the own one without. */
public final class GrpcWorkers implements Workers, AutoCloseable {
  private final ClusterSpec cluster;

  public GrpcWorkers(ClusterSpec cluster, TaskName self, WorkerInterface own) {
    this.cluster = cluster;
  }

  @Override
  public List<TaskName> tasks() {
    return cluster.tasks();
  }

  @Override
  public WorkerInterface worker(TaskName task) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public void close() {}
}
