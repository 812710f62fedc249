package dev.tributary.cluster.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.Piece;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every way promises on which a step's calls get to another task. */
@NoLeaks
@Timeout(value = 60, unit = TimeUnit.SECONDS)
abstract class StepTransportContract {
  private static final long LIMIT_SECONDS = 20;

  final ValueTable sender = new ValueTable();
  StepTransport transport;

  /** Begins to serve {@link #sender}, and gives the way to it. */
  abstract StepTransport connect() throws Exception;

  /** Ends the sender's side, as a task that stops or dies does. */
  abstract void stopSender() throws Exception;

  abstract void disconnect() throws Exception;

  @BeforeEach
  void start() throws Exception {
    transport = connect();
  }

  @AfterEach
  void stop() throws Exception {
    disconnect();
    stopSender();
  }

  @Test
  void value_ofEveryKindOfType_arrivesAsItWas() throws Exception {
    arrives(Tensor.of(Shape.of(2, 2), 1f, -2f, Float.NaN, 4f));
    arrives(Tensor.of(1.5, 2.5));
    arrives(Tensor.of(7, 8, 9));
    arrives(Tensor.of(DataType.HALF, Shape.of(3), (short) 1, (short) 2, (short) 3));
    arrives(Tensor.of(DataType.UINT8, Shape.of(1, 3), (byte) 1, (byte) -1, (byte) 0));
    arrives(Tensor.scalar(42L));
  }

  @Test
  void value_emptyOrScalar_keepsItsShape() throws Exception {
    arrives(Tensor.zeros(DataType.FLOAT, Shape.of(0, 3)));
    arrives(Tensor.scalar(2.5f));
  }

  @Test
  void value_large_arrivesWhole() throws Exception {
    int[] values = new int[(40 << 20) / Integer.BYTES + 3];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    arrives(Tensor.of(values));
  }

  @Test
  void value_stringsAndBools_arriveAsTheyWere() throws Exception {
    sender.put("strings", Tensor.of(Shape.of(1, 3), "a", "", "über"));
    try (Tensor strings = await(ask("strings")).value().orElseThrow()) {
      assertThat(strings.shape()).isEqualTo(Shape.of(1, 3));
      assertThat(strings.toStrings()).containsExactly("a", "", "über");
    }
    sender.put("bools", Tensor.of(true, false, true));
    try (Tensor bools = await(ask("bools")).value().orElseThrow()) {
      assertThat(bools.toBooleans()).containsExactly(true, false, true);
    }
  }

  @Test
  void value_dead_arrivesAsDead() throws Exception {
    sender.answer("dead").complete(new ReceivedTensor(Optional.empty(), false));

    assertThat(await(ask("dead")).value()).isEmpty();
  }

  @Test
  void request_beforeTheValue_waitsForIt() throws Exception {
    CompletableFuture<ReceivedTensor> answer = ask("later");
    sender.awaitRequest("later");
    assertThat(answer).isNotDone();

    sender.put("later", Tensor.scalar(3));

    try (Tensor value = await(answer).value().orElseThrow()) {
      assertThat(value.intValue()).isEqualTo(3);
    }
  }

  @Test
  void error_ofTheSender_keepsCodeTextAndDerivedMark() {
    sender
        .answer("failed")
        .completeExceptionally(
            TributaryException.derived(ErrorCode.ABORTED, "Step 3 cancelled: für", null));

    assertThat(failure(ask("failed")))
        .hasMessageContaining("Step 3 cancelled: für")
        .matches(e -> e.code() == ErrorCode.ABORTED && e.derived());
  }

  @Test
  void request_cancelled_endsOnBothSidesAndOthersGoOn() throws Exception {
    Cancellation cancellation = new Cancellation();
    CompletableFuture<ReceivedTensor> answer =
        transport.recvTensor(request("never"), CallOptions.cancelledBy(cancellation));
    sender.awaitRequest("never");

    cancellation.cancel(new TributaryException(ErrorCode.ABORTED, "the step is over"));

    assertThat(failure(answer)).matches(e -> e.code() == ErrorCode.CANCELLED && e.derived());
    sender.awaitCancelled("never");
    arrives(Tensor.scalar(1f));
  }

  @Test
  void request_pastItsTime_isDeadlineExceeded() throws Exception {
    // Connects first: on a slow machine that alone could use up the time.
    arrives(Tensor.scalar(1f));
    CompletableFuture<ReceivedTensor> answer =
        transport.recvTensor(
            request("never"), CallOptions.defaults().within(Duration.ofSeconds(1)));

    assertThat(failure(answer)).matches(e -> e.code() == ErrorCode.DEADLINE_EXCEEDED);
    sender.awaitCancelled("never");
  }

  @Test
  void sender_stops_waitingRequestsAreUnavailable() throws Exception {
    CompletableFuture<ReceivedTensor> answer = ask("never");
    sender.awaitRequest("never");

    stopSender();

    assertThat(failure(answer)).matches(e -> e.code() == ErrorCode.UNAVAILABLE);
  }

  @Test
  void requests_manyAtOnce_eachGetsItsOwnValue() throws Exception {
    List<CompletableFuture<ReceivedTensor>> answers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      answers.add(ask("value" + i));
    }
    for (int i = 199; i >= 0; i--) {
      sender.put("value" + i, Tensor.of(i, i + 1));
    }
    for (int i = 0; i < 200; i++) {
      try (Tensor value = await(answers.get(i)).value().orElseThrow()) {
        assertThat(value.toInts()).containsExactly(i, i + 1);
      }
    }
  }

  @Test
  void push_valuesOfAnyKind_arriveInOrder() throws Exception {
    try (Tensor small = Tensor.of(1f, 2f);
        Tensor large = Tensor.zeros(DataType.FLOAT, Shape.of(3 << 20));
        Tensor text = Tensor.of(Shape.of(1), "für")) {
      for (Tensor value : List.of(small, large, text)) {
        await(transport.pushTensor(push(Optional.of(value)), CallOptions.defaults()));
      }
      await(transport.pushTensor(push(Optional.empty()), CallOptions.defaults()));

      for (Tensor value : List.of(small, large, text)) {
        PushTensorRequest pushed = sender.awaitPushed();
        assertThat(pushed.stepId()).isEqualTo(7);
        assertThat(pushed.key()).hasToString("a;01;b;x;0:0");
        try (Tensor arrived = pushed.value().orElseThrow()) {
          assertThat(arrived.type()).isEqualTo(value.type());
          assertThat(arrived.shape()).isEqualTo(value.shape());
        }
      }
      assertThat(sender.awaitPushed().value()).isEmpty();
    }
  }

  @Test
  void push_ofWhatWasAllocatedForIt_arrivesAsItWas() throws Exception {
    Shape shape = Shape.of(3 << 20);
    for (byte i = 0; i < 3; i++) {
      try (Tensor value =
          transport
              .allocate(DataType.FLOAT, shape)
              .orElseGet(() -> Tensor.allocate(DataType.FLOAT, shape))) {
        Memory.fill(value.storage().address(), value.byteSize(), i);
        await(transport.pushTensor(push(Optional.of(value)), CallOptions.defaults()));
      }
      try (Tensor arrived = sender.awaitPushed().value().orElseThrow()) {
        byte[] content = new byte[(int) arrived.byteSize()];
        Arrays.fill(content, i);
        assertThat(arrived.shape()).isEqualTo(shape);
        assertThat(arrived.toBytes()).isEqualTo(content);
      }
    }
  }

  @Test
  void run_fedAndFetched_isTheSameOnTheOtherSide() throws Exception {
    try (Tensor fed = Tensor.of(1L, 2L)) {
      RunGraphRequest request =
          new RunGraphRequest(
              "session",
              true,
              "graph",
              9,
              List.of(new KeyedTensor(RendezvousKey.of("in"), fed)),
              List.of(RendezvousKey.of("out")),
              ExecutorOptions.none(),
              Piece.NONE,
              true,
              11);

      RunGraphResponse response = await(transport.runGraph(request, CallOptions.defaults()));

      assertThat(response.received())
          .extracting(KeyedTensor::key)
          .containsExactly(RendezvousKey.of("out"));
      try (Tensor fetched = response.received().get(0).tensor()) {
        assertThat(fetched.toLongs()).containsExactly(1, 2);
      }
    }
    RunGraphRequest ran = sender.awaitRun();
    assertThat(ran.sessionHandle()).isEqualTo("session");
    assertThat(ran.createWorkerSessionCalled()).isTrue();
    assertThat(ran.graphHandle()).isEqualTo("graph");
    assertThat(ran.stepId()).isEqualTo(9);
    assertThat(ran.recvKeys()).containsExactly(RendezvousKey.of("out"));
    assertThat(ran.pushesTensors()).isTrue();
    assertThat(ran.requestId()).isEqualTo(11);
  }

  static PushTensorRequest push(Optional<Tensor> value) {
    return new PushTensorRequest("", 7, RendezvousKey.of("a;01;b;x;0:0"), value);
  }

  private void arrives(Tensor value) throws Exception {
    byte[] content = value.toBytes();
    DataType type = value.type();
    Shape shape = value.shape();
    sender.put("value", value);
    try (Tensor arrived = await(ask("value")).value().orElseThrow()) {
      assertThat(arrived.type()).isEqualTo(type);
      assertThat(arrived.shape()).isEqualTo(shape);
      assertThat(arrived.toBytes()).isEqualTo(content);
    }
    sender.forget("value");
  }

  CompletableFuture<ReceivedTensor> ask(String key) {
    return transport.recvTensor(request(key), CallOptions.defaults());
  }

  static RecvTensorRequest request(String key) {
    return new RecvTensorRequest(1, RendezvousKey.of(key), 0);
  }

  static <T> T await(CompletableFuture<T> call) throws Exception {
    return call.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  static TributaryException failure(CompletableFuture<?> call) {
    Throwable[] cause = new Throwable[1];
    assertThatThrownBy(() -> await(call))
        .isInstanceOf(ExecutionException.class)
        .satisfies(e -> cause[0] = e.getCause());
    return (TributaryException) cause[0];
  }
}
