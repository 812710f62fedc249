package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.step.StepEnd;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The values that a step sends to other tasks unasked. The step does not end before they have gone,
 * and fails if one cannot go. Safe for use by many threads.
 */
record TensorPushes(String sessionHandle, long stepId, Peers peers, StepEnd end) {
  /** Sends a value to the task that receives it, and owns it from now on. */
  void push(RendezvousKey key, Optional<Tensor> value) {
    end.begin(1);
    CompletableFuture<Void> sent;
    try {
      sent =
          peers
              .ofDevice(key.recvDevice())
              .worker()
              .pushTensor(
                  new PushTensorRequest(sessionHandle, stepId, key, value),
                  CallOptions.cancelledBy(end.cancellation()));
    } catch (RuntimeException e) {
      sent = CompletableFuture.failedFuture(e);
    }
    sent.whenComplete(
        (done, thrown) -> {
          value.ifPresent(Tensor::close);
          end.ended(Optional.ofNullable(thrown).map(failure -> notPushed(key, failure)));
        });
  }

  /** A tensor that can be pushed to a device without a copy, if there is memory for that. */
  Optional<Tensor> allocateFor(String recvDevice, DataType type, Shape shape) {
    return peers.ofDevice(recvDevice).worker().allocate(type, shape);
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
