package dev.tributary.cluster.internal.protocol;

import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.Tensor;

/** A tensor and where a step's rendezvous has it. */
public record KeyedTensor(RendezvousKey key, Tensor tensor) {
  /** The same with a reference of its own. */
  public KeyedTensor retained() {
    return new KeyedTensor(key, SharedTensors.share(tensor));
  }
}
