package dev.tributary.cluster.worker;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.cluster.protocol.PushTensorRequest;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.rendezvous.RendezvousKey;
import dev.tributary.step.StepEnd;
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
record TensorPushes(long stepId, Peers peers, StepEnd end) {
  /** Sends a value to the task of a device, and owns it from now on. */
  void push(String key, String recvDevice, Optional<Tensor> value) {
    end.begin(1);
    CompletableFuture<Void> sent;
    try {
      sent =
          peers
              .ofDevice(recvDevice)
              .worker()
              .pushTensor(
                  new PushTensorRequest(stepId, key, value),
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

  private static RuntimeException notPushed(String key, Throwable thrown) {
    Throwable failure = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    RendezvousKey parsed = RendezvousKey.parse(key);
    String where =
        "PushTensor of '" + parsed.tensorName() + "' to " + TaskName.ofDevice(parsed.recvDevice());
    return failure instanceof TributaryException
        ? ((TributaryException) failure).at(where)
        : new TributaryException(ErrorCode.INTERNAL, where + ": " + failure, failure);
  }
}
