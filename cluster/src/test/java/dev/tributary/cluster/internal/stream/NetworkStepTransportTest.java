package dev.tributary.cluster.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.error.ErrorCode;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;

/** Steps by TCP in plain text. */
class NetworkStepTransportTest extends StepTransportContract {
  static final String HOST = "localhost";

  private NetworkStreamServer server;
  private StreamTransport stream;

  Optional<Supplier<SSLEngine>> serverTls() throws Exception {
    return Optional.empty();
  }

  Optional<Supplier<SSLEngine>> callerTls() throws Exception {
    return Optional.empty();
  }

  @Override
  StepTransport connect() throws Exception {
    server = startServer();
    stream = transport();
    awaitStream(stream);
    return stream;
  }

  @Override
  void stopSender() {
    server.close();
  }

  @Override
  void disconnect() {
    stream.close();
  }

  @Test
  void sender_startedAnew_isFoundAgain() throws Exception {
    CompletableFuture<ReceivedTensor> waiting = ask("never");
    sender.awaitRequest("never");
    server.close();
    assertThat(failure(waiting)).matches(e -> e.code() == ErrorCode.UNAVAILABLE);

    server = startServer();
    awaitStream(stream);

    sender.put("after", Tensor.scalar(2));
    await(ask("after")).value().orElseThrow().close();
    assertThat(stream.isStreaming()).isTrue();
  }

  @Test
  void values_thatNobodyReadsAtOnce_waitAndArriveInOrder() throws Exception {
    try (Tensor large = Tensor.zeros(DataType.FLOAT, Shape.of(3 << 20));
        Tensor small = Tensor.scalar(1f)) {
      CompletableFuture<?>[] pushes = new CompletableFuture<?>[60];
      for (int i = 0; i < pushes.length; i++) {
        pushes[i] =
            transport.pushTensor(
                push(Optional.of(i % 3 == 0 ? large : small)), CallOptions.defaults());
      }
      for (int i = 0; i < pushes.length; i++) {
        try (Tensor pushed = sender.awaitPushed().value().orElseThrow()) {
          assertThat(pushed.shape()).isEqualTo(i % 3 == 0 ? large.shape() : small.shape());
        }
      }
      await(CompletableFuture.allOf(pushes));
    }
  }

  @Test
  void port_thatCannotBeReached_leavesStepsToGrpc() throws Exception {
    NetworkEndpoint gone = server.offer();
    server.close();
    try (StreamTransport toOther =
        new StreamTransport(
            "other",
            sender,
            TaskMemory.unlimited(),
            () ->
                CompletableFuture.completedFuture(
                    new StreamOffer(Optional.empty(), Optional.of(gone))),
            true,
            Optional.of(new NetworkRoute(HOST, callerTls())),
            (call, method, end) -> {},
            ThreadTimer.shared())) {
      for (int i = 0; i < 5; i++) {
        sender.put("value", Tensor.scalar(i));
        await(toOther.recvTensor(request("value"), CallOptions.defaults()))
            .value()
            .orElseThrow()
            .close();
        sender.forget("value");
      }
      assertThat(toOther.isStreaming()).isFalse();
    }
  }

  NetworkStreamServer startServer() throws Exception {
    return NetworkStreamServer.start(
        new InetSocketAddress(InetAddress.getByName(HOST), 0),
        serverTls(),
        sender,
        TaskMemory.unlimited(),
        ThreadTimer.shared());
  }

  private StreamTransport transport() throws Exception {
    return new StreamTransport(
        "/job:ps/replica:0/task:0",
        sender,
        TaskMemory.unlimited(),
        () ->
            CompletableFuture.completedFuture(
                new StreamOffer(Optional.empty(), Optional.of(server.offer()))),
        false,
        Optional.of(new NetworkRoute(HOST, callerTls())),
        (call, method, end) -> {},
        ThreadTimer.shared());
  }

  /** Calls go by gRPC until the stream is there, which holds up none of them. */
  private static void awaitStream(StreamTransport transport) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    transport.prepare();
    while (!transport.isStreaming()) {
      assertThat(System.nanoTime()).as("no stream within 20 s").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }
}
