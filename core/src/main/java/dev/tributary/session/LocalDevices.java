package dev.tributary.session;

import dev.tributary.internal.collective.CollectiveGroups;
import dev.tributary.internal.collective.CollectiveRuntime;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.file.FileThreads;
import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.kernel.plain.IntraopPool;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.LimitedAllocator;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.internal.step.SessionDevice;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The devices of a local session, which compute on one set of threads. Owns both. Immutable. */
final class LocalDevices implements AutoCloseable {
  private static final String PREFIX = "/job:localhost/replica:0/task:0/device:CPU:";

  private final IntraopPool intraop;
  private final FileThreads fileThreads = new FileThreads("tributary");
  private final List<String> names = new ArrayList<>();
  private final Map<String, SessionDevice> byName = new LinkedHashMap<>();

  LocalDevices(SessionOptions options) {
    intraop = new IntraopPool(options.intraOpThreads());
    Backend backend = options.backend().backend(intraop);
    Allocator allocator = allocator(options.memoryBytes());
    for (int i = 0; i < options.cpuDevices(); i++) {
      String name = PREFIX + i;
      Device device =
          new Device(
              name, allocator, backend, new ResourceContainers(), FileRoot.anywhere(), fileThreads);
      allocator.budget().describe(device.resources()::holders);
      names.add(name);
      byName.put(name, new SessionDevice(device, 0));
    }
  }

  /** The process's own, which keeps to the machine's limit, unless there is a closer one. */
  private static Allocator allocator(long limit) {
    return limit == Long.MAX_VALUE
        ? Allocator.shared()
        : new LimitedAllocator(
            Allocator.shared(),
            new MemoryBudget(limit, "the session's SessionOptions.memoryBytes"));
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

  /** Lets the devices take part in collectives with each other. */
  CollectiveRuntime collectives(Timer timer, Duration limit) {
    return new CollectiveRuntime(
        new CollectiveGroups(timer),
        byName.values().stream()
            .collect(Collectors.toMap(d -> d.device().name(), SessionDevice::incarnation)),
        timer,
        limit);
  }

  List<DeviceDescription> descriptions() {
    return names.stream().map(name -> new DeviceDescription(name, "CPU", 0, 0)).toList();
  }

  /** Drops resources and waits until what they did in the background has ended. */
  void closeResources(Duration limit) {
    for (SessionDevice device : byName.values()) {
      device.kernels().close();
      device.device().resources().close();
    }
    for (SessionDevice device : byName.values()) {
      device.device().activity().awaitNoBackground(limit);
    }
  }

  /** Stops the threads and gives back variables and other resources. */
  @Override
  public void close() {
    intraop.close();
    fileThreads.close();
    for (SessionDevice device : byName.values()) {
      device.kernels().close();
      device.device().resources().close();
    }
  }
}
