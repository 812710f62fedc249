package dev.tributary.cluster.internal.worker;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.internal.kernel.Device;
import org.tensorflow.proto.DeviceAttributes;

/**
 * A device of a worker: where kernels run, and how other tasks see it. The attributes carry the
 * device's full name and its incarnation, a number other than 0 that is different each time the
 * process starts.
 */
public record LocalDevice(Device device, DeviceAttributes attributes) {
  /** The memory limit that stock TensorFlow reports for every CPU, whatever the machine has. */
  private static final long CPU_MEMORY_LIMIT = 256L << 20;

  public LocalDevice {
    if (!DeviceSpec.parse(device.name()).isComplete()) {
      throw TributaryException.invalidArgument(
          "a worker's device needs a full name, got '%s'", device.name());
    }
    if (!device.name().equals(attributes.getName()) || attributes.getIncarnation() == 0) {
      throw TributaryException.invalidArgument(
          "device '%s' has attributes of '%s' with incarnation %d",
          device.name(), attributes.getName(), attributes.getIncarnation());
    }
  }

  public static LocalDevice of(Device device, long incarnation) {
    DeviceSpec name = DeviceSpec.parse(device.name());
    return new LocalDevice(
        device,
        DeviceAttributes.newBuilder()
            .setName(device.name())
            .setDeviceType(name.type().orElse(""))
            .setMemoryLimit(CPU_MEMORY_LIMIT)
            .setIncarnation(incarnation)
            .setXlaGlobalId(-1)
            .build());
  }

  public long incarnation() {
    return attributes.getIncarnation();
  }

  /** The part of the name that is the same in every cluster: {@code /device:CPU:0}. */
  String localName() {
    return localName(device.name());
  }

  /** That part of any device's name; fails if it is no device's name. */
  static String localName(String device) {
    DeviceSpec spec = DeviceSpec.parse(device);
    return "/device:" + spec.type().orElse("") + ":" + spec.index().orElse(0);
  }
}
