package dev.tributary.cluster.internal.protocol;

import java.util.concurrent.CompletableFuture;

/** Receives values from the steps of another task. Safe for use by many threads. */
public interface TensorTransport {
  /**
   * Takes one value out of a step's rendezvous, as soon as it is there. May come before the step
   * itself does.
   */
  CompletableFuture<ReceivedTensor> recvTensor(RecvTensorRequest request, CallOptions options);
}
