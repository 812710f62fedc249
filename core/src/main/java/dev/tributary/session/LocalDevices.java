package dev.tributary.session;

import dev.tributary.kernel.Backend;
import dev.tributary.kernel.Device;
import dev.tributary.kernel.ResourceContainers;
import dev.tributary.kernel.plain.IntraopPool;
import dev.tributary.step.SessionDevice;
import dev.tributary.tensor.Allocator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The devices of a local session, which compute on one set of threads. Owns both. Immutable. */
final class LocalDevices implements AutoCloseable {
  private static final String PREFIX = "/job:localhost/replica:0/task:0/device:CPU:";

  private final IntraopPool intraop;
  private final List<String> names = new ArrayList<>();
  private final Map<String, SessionDevice> byName = new LinkedHashMap<>();

  LocalDevices(SessionOptions options) {
    intraop = new IntraopPool(options.intraOpThreads());
    Backend backend = options.backend().backend(intraop);
    for (int i = 0; i < options.cpuDevices(); i++) {
      String name = PREFIX + i;
      Device device = new Device(name, Allocator.shared(), backend, new ResourceContainers());
      names.add(name);
      byName.put(name, new SessionDevice(device, 0));
    }
  }

  /** The device on which fed values arrive. */
  SessionDevice first() {
    return byName.get(names.get(0));
  }

  List<String> names() {
    return names;
  }

  Map<String, SessionDevice> byName() {
    return byName;
  }

  List<DeviceDescription> descriptions() {
    return names.stream().map(name -> new DeviceDescription(name, "CPU", 0, 0)).toList();
  }

  /** Stops the threads and gives back variables and other resources. */
  @Override
  public void close() {
    intraop.close();
    for (SessionDevice device : byName.values()) {
      device.kernels().close();
      device.device().resources().close();
    }
  }
}
