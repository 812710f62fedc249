package dev.tributary.cluster.server;

import dev.tributary.cluster.internal.protocol.AddressBooks;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.internal.rpc.GrpcWorkers;
import dev.tributary.cluster.internal.stream.StreamUse;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Timer;
import dev.tributary.security.ChannelSecurity;
import java.time.Duration;
import java.util.Optional;
import org.tensorflow.proto.ServerDef;

/**
 * The addresses by which one task finds others. Immutable once {@link #attach attached}, which
 * happens before the task serves anybody.
 */
final class TaskAddressBooks implements AddressBooks, AutoCloseable {
  private final ClusterSpec cluster;
  private final TaskName self;
  private final ChannelSecurity security;
  private final TaskMemory memory;
  private final Duration silenceLimit;
  private final StreamUse streams;
  private final Timer timer;
  private Optional<GrpcWorkers> ownCluster = Optional.empty();

  /**
   * @param memory takes what other tasks send
   * @param streams which of the streams that other tasks offer are used
   */
  TaskAddressBooks(
      ClusterSpec cluster,
      TaskName self,
      ChannelSecurity security,
      TaskMemory memory,
      Duration silenceLimit,
      StreamUse streams,
      Timer timer) {
    this.cluster = cluster;
    this.self = self;
    this.security = security;
    this.memory = memory;
    this.silenceLimit = silenceLimit;
    this.streams = streams;
    this.timer = timer;
  }

  /** Tells the task's own worker, which itself is made with these address books. */
  void attach(WorkerInterface worker) {
    ownCluster =
        Optional.of(
            new GrpcWorkers(cluster, self, worker, security, memory, silenceLimit, streams, timer));
  }

  @Override
  public Workers ownCluster() {
    return ownCluster.orElseThrow(TaskAddressBooks::detached);
  }

  @Override
  public Workers open(ServerDef server) {
    return ownCluster
        .orElseThrow(TaskAddressBooks::detached)
        .inCluster(
            ClusterSpec.fromProto(server.getCluster()),
            new TaskName(server.getJobName(), server.getTaskIndex()));
  }

  @Override
  public void close() {
    ownCluster.ifPresent(GrpcWorkers::close);
  }

  private static TributaryException detached() {
    return TributaryException.internal("address books were used before their worker was there");
  }
}
