package dev.tributary.cluster.server;

import dev.tributary.cluster.worker.LocalDevice;
import dev.tributary.file.FileRoot;
import dev.tributary.kernel.Backend;
import dev.tributary.kernel.Device;
import dev.tributary.kernel.ParallelFor;
import dev.tributary.kernel.ResourceContainers;
import dev.tributary.kernel.plain.IntraopPool;
import dev.tributary.tensor.Allocator;
import dev.tributary.tensor.LimitedAllocator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The devices of a task, which share the threads for large nodes. Closing it ends the threads; what
 * the devices hold is closed with the worker that has them.
 */
final class TaskDevices implements AutoCloseable {
  private final IntraopPool intraop;
  private final List<LocalDevice> devices;

  TaskDevices(ServerOptions options, Function<ParallelFor, Backend> backends) {
    intraop = new IntraopPool(options.intraOpThreads());
    Backend backend = backends.apply(intraop);
    Allocator allocator = allocator(options.limits().memoryBytes());
    devices =
        IntStream.range(0, options.cpuDevices())
            .mapToObj(number -> cpu(options, number, allocator, backend))
            .toList();
  }

  List<LocalDevice> list() {
    return devices;
  }

  @Override
  public void close() {
    intraop.close();
  }

  /** The process's own, unless there is a limit to keep. */
  private static Allocator allocator(long limit) {
    return limit == Long.MAX_VALUE
        ? Allocator.shared()
        : new LimitedAllocator(Allocator.shared(), limit);
  }

  private static LocalDevice cpu(
      ServerOptions options, int number, Allocator allocator, Backend backend) {
    Device device =
        new Device(
            options.task().device("CPU", number),
            allocator,
            backend,
            new ResourceContainers(),
            options.fileRoot().map(FileRoot::under).orElse(FileRoot.anywhere()));
    // Any number but 0 that the task is unlikely to have had in an earlier life.
    long incarnation = ThreadLocalRandom.current().nextLong() | 1;
    return LocalDevice.of(device, incarnation);
  }
}
