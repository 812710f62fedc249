package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The other tasks of a session's cluster, found by the names of their devices. Safe for use by many
 * threads.
 */
final class Peers {
  /** A task, how it is reached, and how long ago it was heard from. */
  record Peer(TaskName task, WorkerInterface worker, Supplier<Optional<Duration>> lastHeard) {}

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
      Workers cluster = workers.get();
      known = new Peer(task, cluster.worker(task), () -> cluster.lastHeard(task));
      byDevice.put(device, known);
    }
    return known;
  }
}
