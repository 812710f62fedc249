package dev.tributary.cluster.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NoLeaks
class SharedSlotsTest {
  private static final int LENGTH = 10_000;
  private static final long BYTES = 4L * LENGTH;

  /** Room for two and a half tensors. */
  private final OutgoingSlots sender = new OutgoingSlots(5 * BYTES / 2);

  private final IncomingSlots receiver = new IncomingSlots();

  @BeforeEach
  void needsSharedMemory() throws IOException {
    Path probe =
        SharedFolder.probe().orElseGet(() -> Assumptions.abort("this system has no /dev/shm"));
    assertThat(SharedFolder.takesProbe(probe)).isTrue();
  }

  @AfterEach
  void close() {
    sender.close();
    receiver.close();
  }

  @Test
  void tensor_sent_comesOutAsItWentIn() throws IOException {
    try (Tensor received = received(sent(7))) {
      assertThat(received.toInts()).isEqualTo(values(7));
    }
  }

  @Test
  void slot_released_isFilledAgain() throws IOException {
    OutgoingSlots.Place first = sent(1);
    received(first).close();

    OutgoingSlots.Place second = sent(2);

    assertThat(second.slot()).isEqualTo(first.slot());
    assertThat(second.file()).isEmpty();
    try (Tensor received = received(second)) {
      assertThat(received.toInts()).isEqualTo(values(2));
    }
  }

  @Test
  void slot_held_isNotFilledAgain() throws IOException {
    try (Tensor held = received(sent(1));
        Tensor next = received(sent(2))) {
      assertThat(held.toInts()).isEqualTo(values(1));
      assertThat(next.toInts()).isEqualTo(values(2));
    }
  }

  @Test
  void slot_muchTooLarge_isLeftForLargeTensors() throws IOException {
    OutgoingSlots.Place large = sent(1);
    received(large).close();
    try (Tensor small = Tensor.of(values(0)).reshape(Shape.of(LENGTH))) {
      assertThat(sender.put(small.address(), BYTES / 4).orElseThrow().slot())
          .isNotEqualTo(large.slot());
    }
  }

  @Test
  void tensors_heldBeyondTheLimit_stayWhatTheyWere() throws IOException {
    Tensor[] held = new Tensor[6];
    for (int i = 0; i < held.length; i++) {
      held[i] = received(sent(i));
    }

    for (int i = 0; i < held.length; i++) {
      assertThat(held[i].toInts()).isEqualTo(values(i));
      held[i].close();
    }
    try (Tensor next = received(sent(9))) {
      assertThat(next.toInts()).isEqualTo(values(9));
    }
  }

  @Test
  void slot_abandonedBeforeItIsReceived_isReceived() throws IOException {
    OutgoingSlots.Place[] places = {sent(0), sent(1), sent(2), sent(3)};

    for (int i = 0; i < places.length; i++) {
      try (Tensor received = received(places[i])) {
        assertThat(received.toInts()).isEqualTo(values(i));
      }
    }
  }

  @Test
  void slot_droppedWhileFree_isForgottenByBoth() throws IOException {
    OutgoingSlots.Place first = sent(0);
    received(first).close();
    try (Tensor large = Tensor.zeros(DataType.INT32, Shape.of(2 * LENGTH))) {
      OutgoingSlots.Place other = sender.put(large.address(), large.byteSize()).orElseThrow();
      receiver.open(other.slot(), other.file().orElseThrow());
    }

    assertThatThrownBy(() -> receiver.tensor(first.slot(), DataType.INT32, Shape.of(1)))
        .hasMessageContaining("unknown");
  }

  @Test
  void tensor_heldWhenBothSidesEnd_stays() throws IOException {
    try (Tensor received = received(sent(3))) {
      sender.close();
      receiver.close();

      assertThat(received.toInts()).isEqualTo(values(3));
    }
  }

  @Test
  void sender_closed_leavesNoNameAndSendsNothing() throws IOException {
    Path unopened = Path.of(sent(1).file().orElseThrow());
    assertThat(unopened).exists();

    sender.close();

    assertThat(Files.exists(unopened)).isFalse();
    try (Tensor value = Tensor.of(values(0))) {
      assertThat(sender.put(value.address(), BYTES)).isEmpty();
    }
  }

  @Test
  void tensor_largerThanTheLimit_isNotSent() {
    try (Tensor large = Tensor.zeros(DataType.INT32, Shape.of(3 * LENGTH))) {
      assertThat(sender.put(large.address(), large.byteSize())).isEmpty();
    }
  }

  @Test
  void tensor_largerThanItsSlot_isAnError() throws IOException {
    OutgoingSlots.Place place = sent(1);
    receiver.open(place.slot(), place.file().orElseThrow());

    assertThatThrownBy(() -> receiver.tensor(place.slot(), DataType.INT32, Shape.of(LENGTH + 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("malformed");
  }

  @Test
  void slot_announcedTwiceOrUsedTwice_isAnError() throws IOException {
    OutgoingSlots.Place place = sent(1);
    try (Tensor received = received(place)) {
      assertThat(received.rank()).isOne();
      assertThatThrownBy(() -> receiver.tensor(place.slot(), DataType.INT32, Shape.of(1)))
          .hasMessageContaining("held");
      String other = sent(2).file().orElseThrow();
      assertThatThrownBy(() -> receiver.open(place.slot(), other)).hasMessageContaining("known");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/etc/passwd", "/dev/shm/other", "/dev/shm/../shm/tributary-x", "x"})
  void file_elsewhere_isNotOpened(String file) {
    assertThatThrownBy(() -> receiver.open(1, file)).hasMessageContaining("malformed");
  }

  private static int[] values(int first) {
    return IntStream.range(first, first + LENGTH).toArray();
  }

  private OutgoingSlots.Place sent(int first) {
    try (Tensor value = Tensor.of(values(first))) {
      return sender.put(value.address(), value.byteSize()).orElseThrow();
    }
  }

  private Tensor received(OutgoingSlots.Place place) throws IOException {
    if (place.file().isPresent()) {
      receiver.open(place.slot(), place.file().get());
    }
    return receiver.tensor(place.slot(), DataType.INT32, Shape.of(LENGTH));
  }
}
