package dev.tributary.internal.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Inbox;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LocalRendezvousTest extends RendezvousContract {
  private final LocalRendezvous rendezvous = new LocalRendezvous();

  @Override
  protected Rendezvous rendezvous() {
    return rendezvous;
  }

  @Test
  void table_whenAllHaveMet_isEmpty() {
    Inbox inbox = new Inbox();
    rendezvous.send(RendezvousKey.of("a"), Optional.empty());
    assertThat(rendezvous.isEmpty()).isFalse();
    rendezvous.receive(RendezvousKey.of("a"), inbox);
    assertThat(rendezvous.isEmpty()).isTrue();
    rendezvous.receive(RendezvousKey.of("a"), inbox);
    assertThat(rendezvous.isEmpty()).isFalse();
    rendezvous.send(RendezvousKey.of("a"), Optional.empty());

    assertThat(rendezvous.isEmpty()).isTrue();
    assertThat(inbox.takeAll()).containsExactly("dead", "dead");
  }

  @Test
  void close_withValuesLeft_releasesThem() {
    Inbox inbox = new Inbox();
    rendezvous.send(RendezvousKey.of("a"), Optional.of(Tensor.scalar(1)));
    rendezvous.receive(RendezvousKey.of("b"), inbox);
    rendezvous.close();

    assertThat(inbox.takeAll()).containsExactly("the step is over");
    assertThat(rendezvous.isEmpty()).isTrue();
  }
}
