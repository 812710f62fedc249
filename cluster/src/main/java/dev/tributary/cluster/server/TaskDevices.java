package dev.tributary.cluster.server;

import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.internal.worker.LocalDevice;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.file.FileThreads;
import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.kernel.plain.IntraopPool;
import dev.tributary.internal.memory.Allocator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The devices of a task, which share the threads for large nodes and for files. Closing it ends the
 * threads; what the devices hold is closed with the worker that has them.
 */
final class TaskDevices implements AutoCloseable {
  private final IntraopPool intraop;
  private final FileThreads fileThreads;
  private final List<LocalDevice> devices;

  /**
   * @param memory takes what the devices compute and hold
   */
  TaskDevices(ServerOptions options, TaskMemory memory, Function<ParallelFor, Backend> backends) {
    intraop = new IntraopPool(options.intraOpThreads());
    fileThreads =
        new FileThreads("tributary-" + options.task().job() + "-" + options.task().index());
    Backend backend = backends.apply(intraop);
    devices =
        IntStream.range(0, options.cpuDevices())
            .mapToObj(number -> cpu(options, number, memory.allocator(), backend, fileThreads))
            .toList();
    devices.forEach(device -> memory.budget().describe(device.device().resources()::holders));
  }

  List<LocalDevice> list() {
    return devices;
  }

  @Override
  public void close() {
    intraop.close();
    fileThreads.close();
  }

  private static LocalDevice cpu(
      ServerOptions options,
      int number,
      Allocator allocator,
      Backend backend,
      FileThreads fileThreads) {
    Device device =
        new Device(
            options.task().device("CPU", number),
            allocator,
            backend,
            new ResourceContainers(),
            options.fileRoot().map(FileRoot::under).orElse(FileRoot.anywhere()),
            fileThreads);
    // Any number but 0 that the task is unlikely to have had in an earlier life.
    long incarnation = ThreadLocalRandom.current().nextLong() | 1;
    return LocalDevice.of(device, incarnation);
  }
}
