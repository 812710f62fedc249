package dev.tributary.cluster.internal.protocol;

import dev.tributary.internal.rendezvous.RendezvousKey;

/**
 * Asks a worker for a chunk that a collective there sends. Its key has the chunk's own one as the
 * name of the value.
 *
 * @param bytes that the chunk must have
 */
public record RecvBufRequest(long stepId, RendezvousKey key, long bytes, long requestId) {
  /** The same chunk as a value of the step, for tasks that are known to be ours. */
  public RecvTensorRequest asTensor() {
    return new RecvTensorRequest(stepId, key, requestId);
  }
}
