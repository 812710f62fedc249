package dev.tributary.cluster.internal.protocol;

import dev.tributary.tensor.Tensor;
import java.util.Optional;

/**
 * A value that came through a rendezvous.
 *
 * @param value empty if it is dead: the branch that would have made it was not taken
 * @param requireAck whether the sender keeps the value until its arrival is acknowledged
 */
public record ReceivedTensor(Optional<Tensor> value, boolean requireAck) {}
