package dev.tributary.internal.rendezvous;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/**
 * The exchange of values between the parts of one step. A value and a request with equal keys are
 * matched, in whichever order they come; several under one key are served first come, first served.
 * An empty value is a dead one. Safe for use by many threads.
 */
public interface Rendezvous {
  /** A wait for a value. Exactly one of its methods is called, once, on any thread. */
  interface Receiver {
    /** Hands over the value with its reference; empty if it is dead. */
    void received(Optional<Tensor> value);

    void failed(RuntimeException failure);
  }

  /** Hands over a value with its reference; it is released if the rendezvous was aborted. */
  void send(RendezvousKey key, Optional<Tensor> value);

  /**
   * A tensor with undefined contents for a value that will be sent to a device and that nobody else
   * needs, if there is memory from which it gets there sooner. Sending it is optional.
   */
  default Optional<Tensor> allocateFor(String recvDevice, DataType type, Shape shape) {
    return Optional.empty();
  }

  /** Asks for a value. */
  void receive(RendezvousKey key, Receiver receiver);

  /**
   * Fails every request, present and future, and releases what was sent. The first reason stays.
   */
  void abort(RuntimeException reason);
}
