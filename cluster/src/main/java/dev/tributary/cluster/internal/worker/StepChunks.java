package dev.tributary.cluster.internal.worker;

import dev.tributary.internal.collective.ChunkTransport;
import dev.tributary.internal.collective.CollectiveMember;
import dev.tributary.internal.collective.RendezvousChunks;
import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/** The chunks of one step's collectives, which wait in its rendezvous until they are asked for. */
record StepChunks(StepRendezvous rendezvous) implements ChunkTransport {
  @Override
  public void send(CollectiveMember from, CollectiveMember to, String key, Tensor chunk) {
    rendezvous.keep(RendezvousChunks.key(from, to, key), Optional.of(chunk));
  }

  @Override
  public void receive(Wanted chunk, Rendezvous.Receiver receiver) {
    rendezvous.askFor(
        RendezvousChunks.key(chunk.from(), chunk.to(), chunk.key()), chunk.bytes(), receiver);
  }
}
