package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.tensorflow.proto.DeviceAttributes;

/**
 * The devices that a session can use. Tasks have the names that the address book gives them,
 * whatever they call themselves. Immutable.
 *
 * @param all the master's own devices first, then the others by task
 * @param clientDevice where fed values come in and fetched ones go out
 */
record DeviceCatalogue(TaskName self, List<DeviceAttributes> all, DeviceAttributes clientDevice) {
  DeviceCatalogue {
    all = List.copyOf(all);
  }

  /** {@code reported} has what each task said of its devices, {@code self} among them. */
  static DeviceCatalogue of(
      TaskName self, Map<TaskName, List<DeviceAttributes>> reported, DeviceFilters filters) {
    List<DeviceAttributes> local = renamed(self, reported.get(self));
    if (local.isEmpty()) {
      throw TributaryException.internal("the master's task %s has no device", self);
    }
    List<DeviceAttributes> all = new ArrayList<>(local);
    new TreeMap<>(reported)
        .forEach(
            (task, devices) -> {
              if (!task.equals(self)) {
                renamed(task, devices).stream()
                    .filter(device -> filters.allowsDevice(device.getName()))
                    .forEach(all::add);
              }
            });
    DeviceAttributes client =
        local.stream()
            .filter(device -> device.getDeviceType().equals("CPU"))
            .findFirst()
            .orElse(local.get(0));
    return new DeviceCatalogue(self, all, client);
  }

  List<String> names() {
    return all.stream().map(DeviceAttributes::getName).toList();
  }

  List<DeviceAttributes> local() {
    return all.stream().filter(device -> taskOf(device).equals(self)).toList();
  }

  List<DeviceAttributes> remote() {
    return all.stream().filter(device -> !taskOf(device).equals(self)).toList();
  }

  long incarnation(String name) {
    for (DeviceAttributes device : all) {
      if (device.getName().equals(name)) {
        return device.getIncarnation();
      }
    }
    throw TributaryException.internal("device '%s' is not among %s", name, names());
  }

  private static TaskName taskOf(DeviceAttributes device) {
    return TaskName.ofDevice(device.getName());
  }

  /** Devices under the name that the address book gives their task. */
  static List<DeviceAttributes> renamed(TaskName task, List<DeviceAttributes> devices) {
    return devices.stream().map(device -> renamed(task, device)).toList();
  }

  private static DeviceAttributes renamed(TaskName task, DeviceAttributes device) {
    DeviceSpec spec = DeviceSpec.parse(device.getName());
    if (!spec.isComplete()) {
      throw TributaryException.internal(
          "task %s reports device '%s', wanted a full name", task, device.getName());
    }
    String name = task.device(spec.type().get(), spec.index().getAsInt());
    return device.toBuilder().setName(name).build();
  }
}
