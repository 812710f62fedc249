package dev.tributary.cluster.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.Piece;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values on a stream that the receiver has no memory for: one call fails, the others go on. */
@NoLeaks
@Timeout(60)
class StreamMemoryTest {
  private static final long LIMIT = 1 << 20;

  private final ValueTable worker = new ValueTable();
  private final TaskMemory serverMemory = TaskMemory.limited(LIMIT);
  private final TaskMemory clientMemory = TaskMemory.limited(LIMIT);
  private LocalStreamServer server;
  private StreamConnection connection;

  @BeforeEach
  void connect() throws IOException {
    server = LocalStreamServer.start(worker, serverMemory, ThreadTimer.shared()).orElseThrow();
    connection =
        StreamConnection.open("the worker", server.endpoint(), clientMemory, ThreadTimer.shared());
  }

  @AfterEach
  void close() {
    connection.close();
    server.close();
    awaitNone(serverMemory);
    awaitNone(clientMemory);
  }

  /** The other side lets go of its last value after the answer has come. */
  private static void awaitNone(TaskMemory memory) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (memory.budget().used() > 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    assertThat(memory.budget().used()).isZero();
  }

  @Test
  void runGraph_feedsThatDoNotFit_failAndTheNextCallRuns() throws Exception {
    try (Tensor large = Tensor.of(new float[400_000]);
        Tensor text = Tensor.of(new boolean[2_000_000]);
        Tensor small = Tensor.of(1f, 2f)) {
      assertExhausted(run(large, small));
      assertExhausted(run(small, large));
      assertExhausted(run(text));

      run(small).get(20, TimeUnit.SECONDS).received().forEach(value -> value.tensor().close());
    }
  }

  @Test
  void recvTensor_answerThatDoesNotFit_failsAndTheNextCallRuns() throws Exception {
    worker.put("large", Tensor.of(new float[400_000]));
    worker.put("small", Tensor.scalar(7f));

    assertExhausted(connection.recvTensor(request("large"), CallOptions.defaults()));

    try (Tensor small =
        connection
            .recvTensor(request("small"), CallOptions.defaults())
            .get(20, TimeUnit.SECONDS)
            .value()
            .orElseThrow()) {
      assertThat(small.floatValue()).isEqualTo(7f);
    }
  }

  @Test
  void pushTensor_thatDoesNotFit_isToldToTheWorkerAndTheNextOneArrives() throws Exception {
    try (Tensor large = Tensor.of(new float[400_000]);
        Tensor small = Tensor.scalar(7f)) {
      connection.pushTensor(push(large)).get(20, TimeUnit.SECONDS);
      assertThat(worker.awaitLost().code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED);

      connection.pushTensor(push(small)).get(20, TimeUnit.SECONDS);
      try (Tensor pushed = worker.awaitPushed().value().orElseThrow()) {
        assertThat(pushed.floatValue()).isEqualTo(7f);
      }
    }
  }

  private CompletableFuture<RunGraphResponse> run(Tensor... values) {
    return connection.runGraph(
        step(
            List.of(values).stream()
                .map(value -> new KeyedTensor(RendezvousKey.of("x"), value))
                .toList()),
        CallOptions.defaults());
  }

  private static RunGraphRequest step(List<KeyedTensor> values) {
    return new RunGraphRequest(
        "",
        false,
        "graph",
        1,
        values,
        List.of(RendezvousKey.of("y")),
        ExecutorOptions.none(),
        Piece.NONE,
        false,
        1);
  }

  private static RecvTensorRequest request(String key) {
    return new RecvTensorRequest(1, RendezvousKey.of(key), 0);
  }

  private static PushTensorRequest push(Tensor value) {
    return new PushTensorRequest("", 1, RendezvousKey.of("a;01;b;x;0:0"), Optional.of(value));
  }

  private static void assertExhausted(CompletableFuture<?> call) {
    assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED))
        .hasMessageContaining("at most " + LIMIT + " bytes");
  }
}
