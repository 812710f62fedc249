package dev.tributary.cluster.internal.protocol;

import java.util.List;
import org.tensorflow.proto.DeviceAttributes;

/** Devices of the master's own task, and of others. */
public record ListDevicesResponse(
    List<DeviceAttributes> localDevices, List<DeviceAttributes> remoteDevices) {
  public ListDevicesResponse {
    localDevices = List.copyOf(localDevices);
    remoteDevices = List.copyOf(remoteDevices);
  }
}
