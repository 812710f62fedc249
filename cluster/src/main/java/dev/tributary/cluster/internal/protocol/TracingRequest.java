package dev.tributary.cluster.internal.protocol;

/** Asks for a profile of the whole process. */
public record TracingRequest(double durationSeconds) {}
