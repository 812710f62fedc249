package dev.tributary.internal.placement;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.StatePlacement;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The devices there are, best first, and which of them a group may have. Immutable. */
final class Candidates {
  private static final Map<String, Integer> TYPE_PRIORITY = Map.of("GPU", 210, "CPU", 70);

  private final Map<String, DeviceSpec> devices = new LinkedHashMap<>();

  /** The same devices in the order that shared state prefers. */
  private final Map<String, DeviceSpec> forSharedState;

  private final boolean soft;
  private final Placer.KernelCheck kernels;

  Candidates(
      List<String> names,
      DeviceSpec local,
      boolean soft,
      Placer.KernelCheck kernels,
      StatePlacement statePlacement) {
    this.soft = soft;
    this.kernels = kernels;
    names.stream()
        .map(DeviceSpec::parse)
        .sorted(
            Comparator.<DeviceSpec>comparingInt(
                    d -> -TYPE_PRIORITY.getOrDefault(d.type().orElse(""), -1))
                .thenComparing(d -> !local.matches(d))
                .thenComparing(DeviceSpec::toString))
        .forEach(device -> devices.put(device.toString(), requireComplete(device)));
    this.forSharedState = statePlacement == StatePlacement.FIRST_TASK ? byTask() : devices;
  }

  /** By task, that of job ps first; the devices of a task in their order. */
  private Map<String, DeviceSpec> byTask() {
    Map<String, DeviceSpec> sorted = new LinkedHashMap<>();
    devices.values().stream()
        .sorted(
            Comparator.<DeviceSpec, Boolean>comparing(d -> !d.job().orElseThrow().equals("ps"))
                .thenComparing(d -> d.job().orElseThrow())
                .thenComparingInt(d -> d.replica().orElseThrow())
                .thenComparingInt(d -> d.task().orElseThrow()))
        .forEach(device -> sorted.put(device.toString(), device));
    return sorted;
  }

  /** The full names of devices as specs; names that are equal are parsed once. */
  static Map<String, DeviceSpec> parsed(Map<String, String> names) {
    Map<String, DeviceSpec> known = new HashMap<>();
    Map<String, DeviceSpec> specs = new HashMap<>();
    names.forEach(
        (node, device) ->
            specs.put(
                node,
                known.computeIfAbsent(device, name -> requireComplete(DeviceSpec.parse(name)))));
    return specs;
  }

  /** Returns whether a group may have a device as it asked. */
  boolean allow(ColocationGroup group, String device) {
    DeviceSpec spec = devices.get(device);
    return spec != null && group.wanted().matches(spec) && group.canRunOn(spec, kernels);
  }

  /** The best device for a group; INVALID_ARGUMENT if there is none. */
  String first(ColocationGroup group) {
    return firstMatch(group, group.wanted())
        .or(
            () ->
                soft ? firstMatch(group, ColocationGroup.taskOf(group.wanted())) : Optional.empty())
        .orElseThrow(
            () ->
                TributaryException.invalidArgument(
                    "cannot place %s: it wants device '%s', available are %s",
                    group, group.wanted(), devices.keySet()));
  }

  private Optional<String> firstMatch(ColocationGroup group, DeviceSpec wanted) {
    Map<String, DeviceSpec> ordered = group.holdsSharedState() ? forSharedState : devices;
    for (Map.Entry<String, DeviceSpec> device : ordered.entrySet()) {
      if (wanted.matches(device.getValue()) && group.canRunOn(device.getValue(), kernels)) {
        return Optional.of(device.getKey());
      }
    }
    return Optional.empty();
  }

  private static DeviceSpec requireComplete(DeviceSpec device) {
    if (!device.isComplete()) {
      throw TributaryException.invalidArgument("'%s' is not the full name of a device", device);
    }
    return device;
  }
}
