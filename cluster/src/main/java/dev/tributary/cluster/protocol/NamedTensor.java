package dev.tributary.cluster.protocol;

import dev.tributary.tensor.Tensor;

/** A tensor and what it is called: an endpoint of the client's graph, or a rendezvous key. */
public record NamedTensor(String name, Tensor tensor) {}
