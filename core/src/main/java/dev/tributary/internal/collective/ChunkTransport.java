package dev.tributary.internal.collective;

import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.tensor.Tensor;

/**
 * The way of chunks between the members of a group, within one step. A chunk and a request with
 * equal ends and keys are matched, in whichever order they come. Safe for use by many threads.
 */
public interface ChunkTransport {
  /**
   * Keeps a chunk until the other member has it, and releases it then, or when the step ends. The
   * chunk's reference belongs to the transport, and its elements do not change until then.
   */
  void send(CollectiveMember from, CollectiveMember to, String key, Tensor chunk);

  /** Asks for a chunk; whoever receives it releases it. A chunk is never dead. */
  void receive(Wanted chunk, Rendezvous.Receiver receiver);

  /** A chunk that one member wants from another. */
  record Wanted(CollectiveMember from, CollectiveMember to, String key, long bytes) {}
}
