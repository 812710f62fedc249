package dev.tributary.cluster.internal.protocol;

import dev.tributary.cluster.spec.TaskName;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.ConfigProto;

/** The task at which the members of collectives find each other. */
public final class CollectiveLeader {
  private CollectiveLeader() {}

  /** The leader that a server's settings name, if they name one. */
  public static Optional<TaskName> configured(ConfigProto config) {
    String leader = config.getExperimental().getCollectiveGroupLeader();
    return leader.isEmpty() ? Optional.empty() : Optional.of(TaskName.ofDevice(leader));
  }

  /** The first chief, else the first worker, as TensorFlow's strategies have it, else any task. */
  public static TaskName usual(Workers cluster) {
    List<TaskName> tasks = cluster.tasks();
    for (String job : List.of("chief", "worker")) {
      TaskName first = new TaskName(job, 0);
      if (tasks.contains(first)) {
        return first;
      }
    }
    return tasks.get(0);
  }
}
