package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.DeviceSpec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The part of the cluster that a session sees: tasks that a filter allows, or all if there are
 * none. The master's own task is always in sight; that is for the caller to add. Immutable.
 */
record DeviceFilters(List<DeviceSpec> filters) {
  DeviceFilters {
    filters = List.copyOf(filters);
  }

  static DeviceFilters parse(List<String> texts) {
    return new DeviceFilters(texts.stream().map(DeviceSpec::parse).toList());
  }

  boolean allowsTask(TaskName task) {
    DeviceSpec name = DeviceSpec.parse(task.toString());
    return filters.isEmpty() || filters.stream().anyMatch(f -> taskOf(f).matches(name));
  }

  /** {@code device} is a full name. */
  boolean allowsDevice(String device) {
    DeviceSpec name = DeviceSpec.parse(device);
    return filters.isEmpty() || filters.stream().anyMatch(f -> f.matches(name));
  }

  private static DeviceSpec taskOf(DeviceSpec filter) {
    return new DeviceSpec(
        filter.job(), filter.replica(), filter.task(), Optional.empty(), OptionalInt.empty());
  }
}
