package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Tensor;

/** Receives the answer to one request for an element, exactly once, on whichever thread has it. */
interface ElementReceiver {
  /** The components of the element, shared tensors whose references go over to the receiver. */
  void element(Tensor[] components);

  void end();

  /** The element could not be made. The next request is for the one behind it. */
  void failure(RuntimeException failure);
}
