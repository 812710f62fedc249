package dev.tributary.cluster.protocol;

import dev.tributary.tensor.Tensor;
import java.util.Optional;

/**
 * A value for a step of another task, which has not asked for it.
 *
 * @param value empty if it is dead: the branch that would have made it was not taken
 */
public record PushTensorRequest(long stepId, String rendezvousKey, Optional<Tensor> value) {}
