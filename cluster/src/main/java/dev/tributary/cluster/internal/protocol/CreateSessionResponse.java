package dev.tributary.cluster.internal.protocol;

/** The name of a new session, and the version to extend its graph from. */
public record CreateSessionResponse(String sessionHandle, long graphVersion) {}
