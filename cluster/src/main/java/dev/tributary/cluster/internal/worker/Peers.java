package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.step.GraphRun;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The other tasks of a session's cluster, found by the names of their devices. Safe for use by many
 * threads.
 */
final class Peers {
  /** A task, how it is reached, how long ago it was heard from, and what went there and back. */
  record RemoteTask(
      TaskName task,
      WorkerInterface worker,
      Supplier<Optional<Duration>> lastHeard,
      Traffic.Link traffic) {}

  private final Supplier<Workers> workers;
  private final Traffic traffic;
  private final Map<String, RemoteTask> byDevice = new ConcurrentHashMap<>();

  Peers(Supplier<Workers> workers, Traffic traffic) {
    this.workers = workers;
    this.traffic = traffic;
  }

  /** The task that a device belongs to; a task that the cluster does not have is INTERNAL. */
  RemoteTask ofDevice(String device) {
    RemoteTask known = byDevice.get(device);
    if (known == null) {
      TaskName task = TaskName.ofDevice(device);
      Workers cluster = workers.get();
      known =
          new RemoteTask(
              task, cluster.worker(task), () -> cluster.lastHeard(task), traffic.with(task));
      byDevice.put(device, known);
    }
    return known;
  }

  /**
   * Sends a value to the task that receives it, unasked, and owns it from now on. The run does not
   * end before the value has gone, and fails if it cannot go.
   */
  void push(
      String sessionHandle, long stepId, RendezvousKey key, Optional<Tensor> value, GraphRun run) {
    run.begin();
    CompletableFuture<Void> sent;
    try {
      RemoteTask receiver = ofDevice(key.recvDevice());
      Traffic.count(value, receiver.traffic().sent());
      sent =
          receiver
              .worker()
              .pushTensor(
                  new PushTensorRequest(sessionHandle, stepId, key, value),
                  CallOptions.cancelledBy(run.cancellation()));
    } catch (RuntimeException e) {
      sent = CompletableFuture.failedFuture(e);
    }
    sent.whenComplete(
        (done, thrown) -> {
          value.ifPresent(Tensor::close);
          run.ended(Optional.ofNullable(thrown).map(failure -> notPushed(key, failure)));
        });
  }

  private static RuntimeException notPushed(RendezvousKey key, Throwable thrown) {
    Throwable failure = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    String where =
        "PushTensor of '" + key.tensorName() + "' to " + TaskName.ofDevice(key.recvDevice());
    return failure instanceof TributaryException
        ? ((TributaryException) failure).at(where)
        : new TributaryException(ErrorCode.INTERNAL, where + ": " + failure, failure);
  }
}
