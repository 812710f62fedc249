package dev.tributary.cluster.internal.protocol;

import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/**
 * A value for a step of another task, which has not asked for it.
 *
 * @param sessionHandle the session of the step, which the other task must know; empty for the one
 *     that masters share which open none
 * @param value empty if it is dead: the branch that would have made it was not taken
 */
public record PushTensorRequest(
    String sessionHandle, long stepId, RendezvousKey key, Optional<Tensor> value) {}
