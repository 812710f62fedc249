package dev.tributary.cluster.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.memory.MemoryAccount;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.internal.time.IdleLooks;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.FakeClock;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NoLeaks
class SharedSlotsTest {
  private static final int LENGTH = 40_000;
  private static final long BYTES = 4L * LENGTH;

  /** Room for two and a half tensors. */
  private static final long MOST_BYTES = 5 * BYTES / 2;

  private final FakeClock clock = new FakeClock();
  private final MemoryBudget budget = new MemoryBudget(10 * BYTES, "a test");
  private final MemoryAccount account = budget.account("shared memory", 10 * BYTES);
  private final OutgoingSlots sender = new OutgoingSlots(account, MOST_BYTES, clock);
  private final MemoryBudget receiving = new MemoryBudget(10 * BYTES, "a test");
  private final IncomingSlots receiver = new IncomingSlots(receiving, clock);

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
    assertThat(account.held()).isZero();
    assertThat(receiving.used()).isZero();
  }

  @Test
  void slots_notNeededForAWhile_areGivenBackOnBothSides() throws IOException {
    received(sent(1)).close();
    assertThat(account.held()).isEqualTo(BYTES);
    assertThat(mappings()).isEqualTo(2);

    for (int look = 0; look < 3; look++) {
      clock.advance(IdleLooks.PAUSE);
    }

    assertThat(clock.pending()).isZero();
    assertThat(account.held()).isZero();
    assertThat(mappings()).isZero();
  }

  @Test
  void slots_usedBetweenLooks_stay() throws IOException {
    OutgoingSlots.Place first = sent(1);
    received(first).close();
    for (int look = 0; look < 5; look++) {
      clock.advance(IdleLooks.PAUSE);
      OutgoingSlots.Place next = sent(look);
      assertThat(next.slot()).isEqualTo(first.slot());
      received(next).close();
    }
  }

  @Test
  void slot_beyondTheAccount_isNotMade() {
    account.reserve(9 * BYTES + 1);
    try (Tensor tensor = Tensor.of(values(1))) {
      assertThat(sender.put(tensor)).isEmpty();
    }
    account.release(9 * BYTES + 1);
  }

  @Test
  void tensor_beyondTheReceiversBudget_isRefusedAndTheSlotIsFreeAgain() throws IOException {
    Tensor held = received(sent(1));
    receiving.reserve(8 * BYTES + 1, "a test");

    assertThatThrownBy(() -> received(sent(2)))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED));

    receiving.release(8 * BYTES + 1);
    held.close();
    received(sent(3)).close();
    assertThat(account.held()).isEqualTo(2 * BYTES);
  }

  /** Shared memory of this process, in the eyes of the system. */
  private static int mappings() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return (int) lines.filter(line -> line.contains("/dev/shm/tributary-")).count();
    }
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
    try (Tensor small = Tensor.zeros(DataType.INT32, Shape.of(LENGTH / 4))) {
      assertThat(sender.put(small).orElseThrow().slot()).isNotEqualTo(large.slot());
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
      OutgoingSlots.Place other = sender.put(large).orElseThrow();
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
      assertThat(sender.put(value)).isEmpty();
    }
  }

  @Test
  void tensor_largerThanTheLimit_isNotSent() {
    try (Tensor large = Tensor.zeros(DataType.INT32, Shape.of(3 * LENGTH))) {
      assertThat(sender.put(large)).isEmpty();
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

  @Test
  void allocated_sentWhileNobodyElseHoldsIt_liesThereAlready() throws IOException {
    OutgoingSlots.Place place;
    long address;
    try (Tensor made = allocated(5)) {
      address = made.storage().address();
      place = sender.put(made).orElseThrow();
    }

    Tensor received = received(place);
    assertThat(received.toInts()).isEqualTo(values(5));
    // The same memory for the next one: its elements were not copied to another slot.
    received.close();
    try (Tensor next = allocated(6)) {
      assertThat(next.storage().address()).isEqualTo(address);
      assertThat(sender.put(next).orElseThrow().slot()).isEqualTo(place.slot());
    }
  }

  @Test
  void allocated_sentWhileSomebodyHoldsIt_isCopied() throws IOException {
    try (Tensor made = allocated(5);
        Tensor also = made.retain();
        Tensor received = received(sender.put(made).orElseThrow())) {
      Memory.fill(received.storage().address(), received.byteSize(), (byte) 0);

      assertThat(also.toInts()).isEqualTo(values(5));
    }
  }

  @Test
  void allocated_releasedUnsent_leavesItsMemoryToTheNext() {
    long address;
    try (Tensor unsent = allocated(1)) {
      address = unsent.storage().address();
    }

    try (Tensor next = allocated(2)) {
      assertThat(next.storage().address()).isEqualTo(address);
      assertThat(sender.put(next).orElseThrow().file()).isPresent();
    }
  }

  @Test
  void allocated_releasedLongAfterItWasSent_doesNotTouchTheNext() throws IOException {
    Tensor sent = allocated(1);
    received(sender.put(sent).orElseThrow()).close();
    try (Tensor next = allocated(2)) {
      assertThat(next.storage().address()).isEqualTo(sent.storage().address());
      sent.close();

      try (Tensor other = allocated(3)) {
        assertThat(other.storage().address()).isNotEqualTo(next.storage().address());
        assertThat(next.toInts()).isEqualTo(values(2));
      }
    }
  }

  @Test
  void allocated_heldWhenTheSenderEnds_stays() {
    try (Tensor made = allocated(4)) {
      sender.close();

      assertThat(made.toInts()).isEqualTo(values(4));
      assertThat(sender.put(made)).isEmpty();
    }
    assertThat(sender.allocate(DataType.INT32, Shape.of(LENGTH))).isEmpty();
  }

  @Test
  void allocated_beyondTheLimit_isRefusedWhileAllAreHeld() {
    try (Tensor first = allocated(1);
        Tensor second = allocated(2)) {
      assertThat(sender.allocate(DataType.INT32, Shape.of(LENGTH))).isEmpty();
      assertThat(first.toInts()).isEqualTo(values(1));
      assertThat(second.toInts()).isEqualTo(values(2));
    }
    allocated(3).close();
  }

  @Test
  void allocated_unsentAndGivenUpForAnother_leavesNoName() throws IOException {
    Path unsent;
    try (Tensor made = allocated(1)) {
      unsent = fileAt(made.storage().address());
    }
    assertThat(unsent).exists();

    try (Tensor large = Tensor.zeros(DataType.INT32, Shape.of(2 * LENGTH))) {
      OutgoingSlots.Place place = sender.put(large).orElseThrow();
      receiver.open(place.slot(), place.file().orElseThrow());
    }

    assertThat(unsent).doesNotExist();
  }

  @Test
  void allocated_smallOrNotPlainOrEndless_liesElsewhere() {
    assertThat(sender.allocate(DataType.INT32, Shape.of(100))).isEmpty();
    assertThat(sender.allocate(DataType.BOOL, Shape.of(LENGTH))).isEmpty();
    assertThat(sender.allocate(DataType.STRING, Shape.of(LENGTH))).isEmpty();
    assertThat(sender.allocate(DataType.INT32, Shape.of((1L << 62) + LENGTH))).isEmpty();
  }

  private Tensor allocated(int first) {
    Tensor made = sender.allocate(DataType.INT32, Shape.of(LENGTH)).orElseThrow();
    Memory.copy(values(first), 0, made.storage().address(), LENGTH);
    return made;
  }

  /** The file that this process has mapped there. */
  private static Path fileAt(long address) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      String[] range = line.split("[- ]", 3);
      boolean isThere =
          Long.parseUnsignedLong(range[0], 16) <= address
              && address < Long.parseUnsignedLong(range[1], 16);
      if (isThere) {
        return Path.of(line.substring(line.indexOf('/')));
      }
    }
    throw new AssertionError("nothing is mapped at " + Long.toHexString(address));
  }

  private static int[] values(int first) {
    return IntStream.range(first, first + LENGTH).toArray();
  }

  private OutgoingSlots.Place sent(int first) {
    try (Tensor value = Tensor.of(values(first))) {
      return sender.put(value).orElseThrow();
    }
  }

  private Tensor received(OutgoingSlots.Place place) throws IOException {
    if (place.file().isPresent()) {
      receiver.open(place.slot(), place.file().get());
    }
    return receiver.tensor(place.slot(), DataType.INT32, Shape.of(LENGTH));
  }
}
