package dev.tributary.cluster.protocol;

/** Asks a worker for a value that a step there sends. */
public record RecvTensorRequest(long stepId, String rendezvousKey, long requestId) {}
