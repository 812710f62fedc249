package dev.tributary.internal.collective;

import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/** Chunks that go through the step's rendezvous, which hands them over without a copy. */
public record RendezvousChunks(Rendezvous rendezvous) implements ChunkTransport {
  @Override
  public void send(CollectiveMember from, CollectiveMember to, String key, Tensor chunk) {
    rendezvous.send(key(from, to, key), Optional.of(chunk));
  }

  @Override
  public void receive(Wanted chunk, Rendezvous.Receiver receiver) {
    rendezvous.receive(key(chunk.from(), chunk.to(), chunk.key()), receiver);
  }

  /** The key of a chunk among those of the step's other values. */
  public static RendezvousKey key(CollectiveMember from, CollectiveMember to, String key) {
    return new RendezvousKey(from.device(), from.incarnation(), to.device(), key, 0, 0);
  }
}
