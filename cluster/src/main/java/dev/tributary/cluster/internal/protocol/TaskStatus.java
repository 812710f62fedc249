package dev.tributary.cluster.internal.protocol;

import dev.tributary.cluster.spec.TaskName;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.DeviceAttributes;

/**
 * A task as a master sees it.
 *
 * @param devices none if the task is down
 * @param fault why the task counts as down; empty if it is up
 */
public record TaskStatus(TaskName task, List<DeviceAttributes> devices, Optional<String> fault) {
  public TaskStatus {
    devices = List.copyOf(devices);
  }
}
