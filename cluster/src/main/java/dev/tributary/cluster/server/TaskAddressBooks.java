package dev.tributary.cluster.server;

import dev.tributary.cluster.protocol.AddressBooks;
import dev.tributary.cluster.protocol.WorkerInterface;
import dev.tributary.cluster.protocol.Workers;
import dev.tributary.cluster.rpc.GrpcWorkers;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import java.util.Optional;
import org.tensorflow.proto.ServerDef;

/**
 * How one task finds others. Immutable once {@link #attach attached}, which happens before the task
 * serves anybody.
 */
final class TaskAddressBooks implements AddressBooks, AutoCloseable {
  private final ClusterSpec cluster;
  private final TaskName self;
  private final boolean streams;
  private Optional<WorkerInterface> ownWorker = Optional.empty();
  private Optional<GrpcWorkers> ownCluster = Optional.empty();

  /**
   * @param streams whether tensors come through the streams of tasks on this machine
   */
  TaskAddressBooks(ClusterSpec cluster, TaskName self, boolean streams) {
    this.streams = streams;
    this.cluster = cluster;
    this.self = self;
  }

  /** Tells the task's own worker, which itself is made with these address books. */
  void attach(WorkerInterface worker) {
    ownWorker = Optional.of(worker);
    ownCluster = Optional.of(new GrpcWorkers(cluster, self, worker, streams));
  }

  @Override
  public Workers ownCluster() {
    return ownCluster.orElseThrow(TaskAddressBooks::detached);
  }

  @Override
  public Workers open(ServerDef server) {
    return new GrpcWorkers(
        ClusterSpec.fromProto(server.getCluster()),
        new TaskName(server.getJobName(), server.getTaskIndex()),
        ownWorker.orElseThrow(TaskAddressBooks::detached),
        streams);
  }

  @Override
  public void close() {
    ownCluster.ifPresent(GrpcWorkers::close);
  }

  private static TributaryException detached() {
    return TributaryException.internal("address books were used before their worker was there");
  }
}
