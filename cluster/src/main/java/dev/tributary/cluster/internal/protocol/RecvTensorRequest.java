package dev.tributary.cluster.internal.protocol;

import dev.tributary.internal.rendezvous.RendezvousKey;

/** Asks a worker for a value that a step there sends. */
public record RecvTensorRequest(long stepId, RendezvousKey key, long requestId) {}
