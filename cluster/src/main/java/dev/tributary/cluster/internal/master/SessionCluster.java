package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.ClusterDef;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.JobDef;
import org.tensorflow.proto.ServerDef;

/**
 * The cluster that a session runs on: the server's own, or one that the client describes, in which
 * this task may have another name. The session closes it.
 *
 * @param self what the master's task is called there
 * @param described the cluster as the client gave it, if it did
 */
record SessionCluster(TaskName self, Workers workers, Optional<ClusterDef> described)
    implements AutoCloseable {

  static SessionCluster of(MasterEnvironment environment, ConfigProto config, String target) {
    if (config.getClusterDef().getJobCount() == 0) {
      return own(environment);
    }
    ClusterDef cluster = config.getClusterDef();
    TaskName self = taskAt(cluster, target);
    if (self.equals(environment.task())) {
      throw TributaryException.invalidArgument(
          "the cluster calls this server %s, the name it was started with; a cluster that a client"
              + " describes must give it another",
          self);
    }
    Workers workers = environment.addressBooks().open(place(self).setCluster(cluster).build());
    return new SessionCluster(self, workers, Optional.of(cluster));
  }

  static SessionCluster own(MasterEnvironment environment) {
    return new SessionCluster(
        environment.task(), environment.addressBooks().ownCluster(), Optional.empty());
  }

  /** The tasks that a session with these filters needs, the master's own always among them. */
  List<TaskName> tasks(DeviceFilters filters) {
    return workers.tasks().stream()
        .filter(task -> task.equals(self) || filters.allowsTask(task))
        .toList();
  }

  WorkerInterface worker(TaskName task) {
    return workers.worker(task);
  }

  /** Returns the description by which a task learns its place. */
  ServerDef serverDef(TaskName task) {
    ServerDef.Builder server = place(task);
    described.ifPresent(server::setCluster);
    return server.build();
  }

  @Override
  public void close() {
    if (described.isPresent()) {
      workers.close();
    }
  }

  private static ServerDef.Builder place(TaskName task) {
    return ServerDef.newBuilder()
        .setProtocol("grpc")
        .setJobName(task.job())
        .setTaskIndex(task.index());
  }

  private static TaskName taskAt(ClusterDef cluster, String target) {
    int scheme = target.indexOf("://");
    String address = scheme < 0 ? target : target.substring(scheme + 3);
    List<TaskName> found = new ArrayList<>();
    for (JobDef job : cluster.getJobList()) {
      job.getTasksMap()
          .forEach(
              (index, place) -> {
                if (place.equals(address)) {
                  found.add(new TaskName(job.getName(), index));
                }
              });
    }
    if (found.size() != 1) {
      throw TributaryException.invalidArgument(
          "the cluster must have one task at the session's target '%s', it has %s", address, found);
    }
    return found.get(0);
  }
}
