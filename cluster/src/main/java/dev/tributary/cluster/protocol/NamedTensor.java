package dev.tributary.cluster.protocol;

import dev.tributary.tensor.SharedTensors;
import dev.tributary.tensor.Tensor;

/** A tensor and what it is called: an endpoint of the client's graph, or a rendezvous key. */
public record NamedTensor(String name, Tensor tensor) {
  /** The same with a reference of its own. */
  public NamedTensor retained() {
    return new NamedTensor(name, SharedTensors.share(tensor));
  }
}
