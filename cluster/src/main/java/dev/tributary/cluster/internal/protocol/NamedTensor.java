package dev.tributary.cluster.internal.protocol;

import dev.tributary.tensor.Tensor;

/** A tensor and what it is called: an endpoint of the client's graph. */
public record NamedTensor(String name, Tensor tensor) {}
