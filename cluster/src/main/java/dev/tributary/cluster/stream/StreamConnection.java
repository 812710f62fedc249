package dev.tributary.cluster.stream;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.cluster.protocol.ReceivedTensor;
import dev.tributary.cluster.protocol.RecvTensorRequest;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The receiver's end of one connection. Callers write their requests themselves; one thread reads
 * the answers. When the connection breaks, all that was asked through it is UNAVAILABLE.
 *
 * <p>It carries a bounded number of short requests at a time. They fit into the socket's buffer
 * even if the sender reads none of them, so writing never waits.
 *
 * <p>Its own monitor guards the calls. {@link #writing} keeps requests apart, and is never taken
 * together with it.
 */
final class StreamConnection implements AutoCloseable {
  private static final int MOST_CALLS = 64;

  private final String peer;
  private final SocketChannel channel;
  private final Object writing = new Object();
  private final Map<Long, CompletableFuture<ReceivedTensor>> calls = new HashMap<>();
  private long lastCall;
  private boolean closed;

  private StreamConnection(String peer, SocketChannel channel) {
    this.peer = peer;
    this.channel = channel;
  }

  /**
   * Connects. It fails at once where the socket is not on this machine.
   *
   * @param peer what errors call the sender
   */
  static StreamConnection open(String peer, StreamEndpoint endpoint) throws IOException {
    SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(endpoint.path()));
    StreamConnection connection = new StreamConnection(peer, channel);
    try {
      connection.write(ByteBuffer.wrap(endpoint.token()));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    StreamThreads.start("values", connection::readAnswers);
    return connection;
  }

  /** Asks; empty if this connection is not to be used for it, and nothing has been asked. */
  Optional<CompletableFuture<ReceivedTensor>> tryCall(
      RecvTensorRequest request, CallOptions options) {
    CompletableFuture<ReceivedTensor> answer = new CompletableFuture<>();
    long call = Requests.fits(request) ? begin(answer) : 0;
    if (call == 0) {
      return Optional.empty();
    }
    send(new Requests.Receive(call, request));
    Runnable cancel = () -> giveUp(call, answer, cancelled(options));
    options.cancellation().onCancel(cancel);
    answer.whenComplete((value, failure) -> options.cancellation().forget(cancel));
    options.timeout().ifPresent(limit -> giveUpAfter(limit, call, answer));
    return Optional.of(answer);
  }

  synchronized boolean isClosed() {
    return closed;
  }

  private synchronized long begin(CompletableFuture<ReceivedTensor> answer) {
    if (closed || calls.size() >= MOST_CALLS) {
      return 0;
    }
    lastCall++;
    calls.put(lastCall, answer);
    return lastCall;
  }

  /** The call keeps its place until the sender has answered, as its request may not be read yet. */
  private void giveUp(
      long call, CompletableFuture<ReceivedTensor> answer, TributaryException reason) {
    if (answer.completeExceptionally(reason) && isWaiting(call)) {
      send(new Requests.Cancel(call));
    }
  }

  private void giveUpAfter(Duration limit, long call, CompletableFuture<ReceivedTensor> answer) {
    CompletableFuture<Void> clock = new CompletableFuture<>();
    clock
        .orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS)
        .exceptionally(
            timeout -> {
              giveUp(call, answer, expired(limit.toMillis()));
              return null;
            });
    answer.whenComplete((value, failure) -> clock.complete(null));
  }

  private synchronized boolean isWaiting(long call) {
    return calls.containsKey(call);
  }

  private void send(Requests request) {
    try {
      write(request.encode());
    } catch (IOException e) {
      end(e.toString());
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    synchronized (writing) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }

  private void readAnswers() {
    try {
      StreamInput in = new StreamInput(channel);
      while (true) {
        deliver(Answer.read(in));
      }
    } catch (IOException | RuntimeException e) {
      end(e.toString());
    }
  }

  private void deliver(Answer answer) {
    CompletableFuture<ReceivedTensor> call;
    synchronized (this) {
      call = calls.remove(answer.call());
    }
    boolean delivered =
        call != null
            && (answer.error().isPresent()
                ? call.completeExceptionally(answer.error().get())
                : call.complete(new ReceivedTensor(answer.value(), false)));
    if (!delivered) {
      answer.release();
    }
  }

  /** Ends all calls as UNAVAILABLE. */
  @Override
  public void close() {
    end("it was closed");
  }

  private void end(String why) {
    List<CompletableFuture<ReceivedTensor>> broken;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      broken = List.copyOf(calls.values());
      calls.clear();
    }
    try {
      channel.close();
    } catch (IOException e) {
      // Nobody uses it any more, either way.
    }
    TributaryException reason =
        new TributaryException(
            ErrorCode.UNAVAILABLE, "the stream from " + peer + " has ended: " + why);
    broken.forEach(call -> call.completeExceptionally(reason));
  }

  private static TributaryException cancelled(CallOptions options) {
    RuntimeException reason = options.cancellation().reason().orElseThrow();
    return TributaryException.derived(
        ErrorCode.CANCELLED, "RecvTensor was cancelled: " + reason.getMessage(), reason);
  }

  private TributaryException expired(long millis) {
    return new TributaryException(
        ErrorCode.DEADLINE_EXCEEDED, peer + " sent no value within " + millis + " ms");
  }
}
