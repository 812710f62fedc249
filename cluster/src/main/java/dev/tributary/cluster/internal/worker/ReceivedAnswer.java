package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.tensor.Tensor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Completes a call with a value, or gives the value back if the call is over. */
record ReceivedAnswer(CompletableFuture<ReceivedTensor> result) implements Rendezvous.Receiver {
  @Override
  public void received(Optional<Tensor> value) {
    if (!result.complete(new ReceivedTensor(value, false))) {
      value.ifPresent(Tensor::close);
    }
  }

  @Override
  public void failed(RuntimeException failure) {
    result.completeExceptionally(failure);
  }
}
