package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Devices of replicas. */
final class Devices {
  private Devices() {}

  /** Returns a scope on this device, whatever device the scope had. */
  static Ops on(Ops tf, String device) {
    return new Ops(tf.scope().withoutDevice().withDevice(device));
  }

  static boolean isOn(Output value, String device) {
    return value.operation().device().equals(DeviceSpec.parse(device));
  }

  /** Returns the devices in TensorFlow's full form; fails if there are none, or one comes twice. */
  static List<String> distinct(String strategy, List<String> devices) {
    if (devices.isEmpty()) {
      throw TributaryException.invalidArgument(
          "%s needs at least one device, such as /device:CPU:0", strategy);
    }
    List<String> full = devices.stream().map(name -> DeviceSpec.parse(name).toString()).toList();
    Set<String> seen = new HashSet<>();
    for (String device : full) {
      if (!seen.add(device)) {
        throw TributaryException.invalidArgument(
            "%s: device '%s' comes twice in %s; each replica needs a device of its own",
            strategy, device, devices);
      }
    }
    return full;
  }

  /** Returns the first so many CPU devices of a process. */
  static List<String> cpus(String strategy, int count) {
    if (count < 1) {
      throw TributaryException.invalidArgument(
          "%s needs at least one replica, got %d", strategy, count);
    }
    return IntStream.range(0, count).mapToObj(i -> "/device:CPU:" + i).toList();
  }
}
