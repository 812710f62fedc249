package dev.tributary.cluster.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.StepTransport;
import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.tensor.Tensor;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class StreamStepTransportTest extends StepTransportContract {
  private final AtomicInteger byGrpc = new AtomicInteger();
  private final Map<CompletableFuture<?>, Consumer<TributaryException>> onSilence =
      new ConcurrentHashMap<>();
  private LocalStreamServer server;
  private StreamTransport stream;

  @Override
  StepTransport connect() {
    server =
        LocalStreamServer.start(sender, TaskMemory.unlimited(), ThreadTimer.shared()).orElseThrow();
    stream =
        new StreamTransport(
            "/job:ps/replica:0/task:0",
            counting(sender),
            TaskMemory.unlimited(),
            () -> CompletableFuture.completedFuture(local(server.endpoint())),
            true,
            Optional.empty(),
            (call, method, end) -> onSilence.put(call, end),
            ThreadTimer.shared());
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
  void values_offeredStream_goPastGrpc() throws Exception {
    for (int i = 0; i < 10; i++) {
      sender.put("value", Tensor.scalar(i));
      await(ask("value")).value().orElseThrow().close();
      sender.forget("value");
    }

    assertThat(stream.isStreaming()).isTrue();
    assertThat(byGrpc).hasValue(0);
  }

  @Test
  void sender_startedAnew_isFoundAgain() throws Exception {
    sender.put("before", Tensor.scalar(1));
    await(ask("before")).value().orElseThrow().close();
    CompletableFuture<ReceivedTensor> waiting = ask("never");
    sender.awaitRequest("never");
    server.close();
    assertThat(failure(waiting))
        .hasMessageContaining("/job:ps/replica:0/task:0")
        .matches(e -> e.code() == ErrorCode.UNAVAILABLE);

    server =
        LocalStreamServer.start(sender, TaskMemory.unlimited(), ThreadTimer.shared()).orElseThrow();
    sender.put("after", Tensor.scalar(2));
    await(ask("after")).value().orElseThrow().close();

    assertThat(stream.isStreaming()).isTrue();
    assertThat(byGrpc).hasValue(0);
  }

  @Test
  void sender_silent_endsCallsAndTheStream() throws Exception {
    CompletableFuture<ReceivedTensor> waiting = ask("never");
    sender.awaitRequest("never");

    onSilence
        .get(waiting)
        .accept(new TributaryException(ErrorCode.UNAVAILABLE, "/job:ps/replica:0/task:0: silent"));

    assertThat(failure(waiting)).hasMessageContaining("silent");
    assertThat(stream.isStreaming()).isFalse();
  }

  @Test
  void peer_withoutStreams_isAskedOnceAndServedByGrpc() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (StreamTransport toStock =
        new StreamTransport(
            "stock",
            sender,
            TaskMemory.unlimited(),
            () -> {
              asked.incrementAndGet();
              return CompletableFuture.failedFuture(
                  TributaryException.unimplemented("Method not found"));
            },
            true,
            Optional.empty(),
            (call, method, end) -> {},
            ThreadTimer.shared())) {
      for (int i = 0; i < 5; i++) {
        sender.put("value", Tensor.scalar(i));
        await(toStock.recvTensor(request("value"), CallOptions.defaults()))
            .value()
            .orElseThrow()
            .close();
        sender.forget("value");
      }
      assertThat(asked).hasValue(1);
      assertThat(toStock.isStreaming()).isFalse();
    }
  }

  @Test
  void peer_onAnotherMachine_isServedByGrpc() throws Exception {
    StreamEndpoint elsewhere = StreamEndpoint.in(Path.of("/nowhere/tributary-1").toAbsolutePath());
    try (StreamTransport toOther =
        new StreamTransport(
            "other",
            sender,
            TaskMemory.unlimited(),
            () -> CompletableFuture.completedFuture(local(elsewhere)),
            true,
            Optional.empty(),
            (call, method, end) -> {},
            ThreadTimer.shared())) {
      sender.put("value", Tensor.scalar(1));

      await(toOther.recvTensor(request("value"), CallOptions.defaults()))
          .value()
          .orElseThrow()
          .close();

      assertThat(toOther.isStreaming()).isFalse();
    }
  }

  @Test
  void close_afterUse_leavesNoFile() throws Exception {
    sender.put("value", Tensor.scalar(1));
    await(ask("value")).value().orElseThrow().close();
    Path directory = server.endpoint().path().getParent();
    assertThat(directory).exists();

    server.close();

    assertThat(Files.exists(directory)).isFalse();
  }

  private static StreamOffer local(StreamEndpoint endpoint) {
    return new StreamOffer(Optional.of(endpoint), Optional.empty());
  }

  /** Counts the calls that do not go through a stream. */
  private StepTransport counting(StepTransport to) {
    return (StepTransport)
        Proxy.newProxyInstance(
            StepTransport.class.getClassLoader(),
            new Class<?>[] {StepTransport.class},
            (proxy, method, arguments) -> {
              byGrpc.incrementAndGet();
              return method.invoke(to, arguments);
            });
  }
}
