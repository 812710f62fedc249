package dev.tributary.cluster.stream;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.cluster.protocol.ReceivedTensor;
import dev.tributary.cluster.protocol.TensorTransport;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Cancellation;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The sender's end of one connection. One thread reads requests, another writes answers, so that a
 * receiver which does not read holds up nobody else. When the connection ends, all that was asked
 * through it is cancelled. Safe for use by many threads.
 */
final class ServedStream implements AutoCloseable {
  /** What the sender may be ahead of the receiver; the system gives less if it likes. */
  private static final int SEND_BUFFER = 1 << 20;

  private final SocketChannel channel;
  private final StreamEndpoint endpoint;
  private final TensorTransport worker;
  private final Consumer<ServedStream> onEnd;
  private final AnswerQueue answers = new AnswerQueue();
  private final Map<Long, Cancellation> asked = new ConcurrentHashMap<>();
  private final AtomicBoolean ended = new AtomicBoolean();

  ServedStream(
      SocketChannel channel,
      StreamEndpoint endpoint,
      TensorTransport worker,
      Consumer<ServedStream> onEnd) {
    this.channel = channel;
    this.endpoint = endpoint;
    this.worker = worker;
    this.onEnd = onEnd;
  }

  void start() {
    StreamThreads.start("requests", this::readRequests);
    StreamThreads.start("answers", this::writeAnswers);
  }

  private void readRequests() {
    try {
      channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
      StreamInput in = new StreamInput(channel);
      byte[] token = in.readBytes(StreamEndpoint.TOKEN_BYTES, StreamEndpoint.TOKEN_BYTES);
      if (!MessageDigest.isEqual(token, endpoint.token())) {
        throw new IOException("a wrong token");
      }
      while (true) {
        serve(Requests.read(in));
      }
    } catch (IOException | RuntimeException e) {
      end(e.toString());
    }
  }

  private void serve(Requests asking) {
    if (asking instanceof Requests.Receive receive) {
      receive(receive);
    } else {
      Cancellation known = asked.get(asking.call());
      if (known != null) {
        known.cancel(cancelled("was cancelled by its caller"));
      }
    }
  }

  private void receive(Requests.Receive asking) {
    Cancellation cancellation = new Cancellation();
    asked.put(asking.call(), cancellation);
    if (ended.get()) {
      cancellation.cancel(cancelled("came through a stream that has ended"));
    }
    worker
        .recvTensor(asking.request(), CallOptions.cancelledBy(cancellation))
        .whenComplete(
            (received, failure) -> {
              asked.remove(asking.call());
              answers.add(answer(asking.call(), received, failure));
            });
  }

  private static Answer answer(long call, ReceivedTensor received, Throwable failure) {
    if (failure == null) {
      return Answer.value(call, received.value());
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return Answer.error(
        call,
        cause instanceof TributaryException
            ? (TributaryException) cause
            : TributaryException.internal("RecvTensor: %s", cause));
  }

  private void writeAnswers() {
    try {
      Optional<Answer> next = answers.take();
      while (next.isPresent()) {
        write(next.get());
        next = answers.take();
      }
    } catch (IOException | RuntimeException e) {
      end(e.toString());
    }
  }

  private void write(Answer answer) throws IOException {
    try {
      answer.writeTo(channel);
    } catch (RuntimeException e) {
      // A value that has no bytes; none were written.
      Answer.error(answer.call(), TributaryException.internal("RecvTensor: %s", e))
          .writeTo(channel);
    } finally {
      answer.release();
    }
  }

  @Override
  public void close() {
    end("the server stops");
  }

  private void end(String why) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    try {
      channel.close();
    } catch (IOException e) {
      // Nobody uses it any more, either way.
    }
    answers.close();
    List.copyOf(asked.values())
        .forEach(cancellation -> cancellation.cancel(cancelled("lost its caller: " + why)));
    onEnd.accept(this);
  }

  private static TributaryException cancelled(String how) {
    return TributaryException.derived(ErrorCode.CANCELLED, "RecvTensor " + how, null);
  }
}
