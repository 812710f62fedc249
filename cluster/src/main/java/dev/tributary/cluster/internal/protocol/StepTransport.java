package dev.tributary.cluster.internal.protocol;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The calls that a step between two tasks is made of. Safe for use by many threads; tensors of a
 * request are borrowed until its future is done, those of a response belong to whoever receives it.
 */
public interface StepTransport extends TensorTransport {
  /** Runs a partition once, or the next piece of a partial run. */
  CompletableFuture<RunGraphResponse> runGraph(RunGraphRequest request, CallOptions options);

  /** Takes one chunk of a collective out of a step there, as soon as it is there. */
  default CompletableFuture<ReceivedTensor> recvBuf(RecvBufRequest request, CallOptions options) {
    return recvTensor(request.asTensor(), options);
  }

  /**
   * Gives the task a value that a step of its own will ask for; may come before the step itself
   * does. Not part of TensorFlow's protocol, so only for workers that {@linkplain
   * CreateWorkerSessionResponse say} that they take it.
   */
  CompletableFuture<Void> pushTensor(PushTensorRequest request, CallOptions options);

  /**
   * Tells a task that there was no memory for a value that was pushed to it, so that its step need
   * not wait. The value of the request is gone.
   */
  default void lostTensor(PushTensorRequest request, TributaryException reason) {}

  /**
   * A tensor with undefined contents that lies where the task will find it: to push it needs no
   * copy, if nobody else holds it then, and its elements belong to the task from then on. Empty if
   * there is no such place, or if a copy costs less.
   */
  default Optional<Tensor> allocate(DataType type, Shape shape) {
    return Optional.empty();
  }
}
