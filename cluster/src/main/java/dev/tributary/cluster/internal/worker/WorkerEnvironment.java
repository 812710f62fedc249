package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.AddressBooks;
import dev.tributary.cluster.internal.protocol.RandomIds;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.time.Timer;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The services that a worker uses. Threads stay the caller's, so that the workers of a process can
 * share them; the resources of the devices are closed with the worker.
 *
 * @param devices at least one; the first is where clients' values come and go
 * @param addressBooks asked when a step first needs another task, not before
 * @param executionPool runs kernels; no task on it ever blocks
 * @param timer runs short tasks after a delay
 * @param ids for requests to other tasks
 */
public record WorkerEnvironment(
    TaskName task,
    List<LocalDevice> devices,
    OpRegistry registry,
    AddressBooks addressBooks,
    Executor executionPool,
    Timer timer,
    RandomIds ids,
    WorkerOptions options) {
  public WorkerEnvironment {
    devices = List.copyOf(devices);
    for (LocalDevice device : devices) {
      if (!TaskName.ofDevice(device.device().name()).equals(task)) {
        throw TributaryException.invalidArgument(
            "worker %s was given device '%s'", task, device.device().name());
      }
    }
    if (devices.isEmpty()) {
      throw TributaryException.invalidArgument("worker %s was given no device", task);
    }
  }
}
