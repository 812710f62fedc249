package dev.tributary.cluster.internal.protocol;

import org.tensorflow.proto.CallableOptions;

/** A kind of step to make ready. */
public record MakeCallableRequest(String sessionHandle, CallableOptions options, long requestId) {}
