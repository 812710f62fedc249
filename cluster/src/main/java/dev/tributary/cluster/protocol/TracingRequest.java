package dev.tributary.cluster.protocol;

/** Asks for a profile of the whole process. */
public record TracingRequest(double durationSeconds) {}
