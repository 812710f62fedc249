package dev.tributary.cluster.worker;

import dev.tributary.cluster.protocol.WorkerInterface;
import dev.tributary.cluster.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The other tasks of a session's cluster, found by the names of their devices. Safe for use by many
 * threads.
 */
final class Peers {
  /** A task, and how it is reached. */
  record Peer(TaskName task, WorkerInterface worker) {}

  private final Supplier<Workers> workers;
  private final Map<String, Peer> byDevice = new ConcurrentHashMap<>();

  Peers(Supplier<Workers> workers) {
    this.workers = workers;
  }

  /** The task that a device belongs to; a task that the cluster does not have is INTERNAL. */
  Peer ofDevice(String device) {
    Peer known = byDevice.get(device);
    if (known == null) {
      TaskName task = TaskName.ofDevice(device);
      known = new Peer(task, workers.get().worker(task));
      byDevice.put(device, known);
    }
    return known;
  }
}
