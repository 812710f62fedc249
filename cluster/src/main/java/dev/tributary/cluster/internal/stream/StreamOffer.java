package dev.tributary.cluster.internal.stream;

import java.util.Optional;

/**
 * The ways past gRPC that a task offers to a caller.
 *
 * @param local for processes of the same machine
 * @param network for those of any machine
 */
public record StreamOffer(Optional<StreamEndpoint> local, Optional<NetworkEndpoint> network) {}
