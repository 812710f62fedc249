package dev.tributary.cluster.internal.rpc;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The client's side of a call: what came back becomes a future, which is done when gRPC has ended
 * the call and so reads the request no longer. A large answer is decoded after that, on a thread
 * that moves no bytes. gRPC calls it from one thread at a time.
 */
final class UnaryResponse<R> extends ClientCall.Listener<ReceivedMessage> {
  private final Codec<R> codec;
  private final Allocator allocator;
  private final String peer;
  private final Executor decoders;
  private final CompletableFuture<R> future = new CompletableFuture<>();
  private Optional<ReceivedMessage> large = Optional.empty();
  private R response;
  private boolean received;
  private TributaryException malformed;
  private volatile Optional<TributaryException> endedBy = Optional.empty();

  /**
   * @param allocator takes the tensors of the answer
   * @param peer what errors call the other side
   * @param decoders decode large answers
   */
  UnaryResponse(Codec<R> codec, Allocator allocator, String peer, Executor decoders) {
    this.codec = codec;
    this.allocator = allocator;
    this.peer = peer;
    this.decoders = decoders;
  }

  CompletableFuture<R> future() {
    return future;
  }

  /** Ends the call, which the peer need not take part in; the future then fails with the reason. */
  void end(ClientCall<?, ?> call, TributaryException reason) {
    endedBy = Optional.of(reason);
    call.cancel(reason.getMessage(), reason);
  }

  @Override
  public void onMessage(ReceivedMessage message) {
    if (message.isLarge()) {
      large = Optional.of(message);
    } else {
      decode(message);
    }
  }

  private void decode(ReceivedMessage message) {
    try (message) {
      response = codec.decode().apply(message.bytes(), allocator);
      received = true;
    } catch (RuntimeException | Error e) {
      boolean isExhausted =
          e instanceof TributaryException known && known.code() == ErrorCode.RESOURCE_EXHAUSTED;
      malformed =
          new TributaryException(
              isExhausted ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.INTERNAL,
              "the answer of " + peer + " cannot be read: " + e.getMessage(),
              e);
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (!status.isOk()) {
      large.ifPresent(ReceivedMessage::close);
      fail(endedBy.orElseGet(() -> located(status, trailers)));
    } else if (large.isPresent()) {
      decodeLater(large.get());
    } else {
      complete();
    }
  }

  private void decodeLater(ReceivedMessage message) {
    try {
      decoders.execute(
          () -> {
            decode(message);
            complete();
          });
    } catch (RejectedExecutionException e) {
      message.close();
      fail(new TributaryException(ErrorCode.CANCELLED, "the client of " + peer + " is closed", e));
    }
  }

  private void complete() {
    if (malformed != null) {
      fail(malformed);
    } else if (!received) {
      fail(TributaryException.internal("%s sent no answer", peer));
    } else if (!future.complete(response)) {
      codec.release().accept(response);
    }
  }

  private void fail(TributaryException error) {
    if (received) {
      codec.release().accept(response);
    }
    future.completeExceptionally(error);
  }

  /** Names the peer where gRPC itself, rather than the peer, says what went wrong. */
  private TributaryException located(Status status, Metadata trailers) {
    TributaryException error = Statuses.toException(status, trailers);
    return switch (error.code()) {
      case UNAVAILABLE ->
          Handshakes.failure(status)
              .or(
                  () ->
                      ConnectFailures.reason(status.getCause())
                          .map(why -> unavailable(why, status)))
              .orElse(error)
              .at(peer);
      case DEADLINE_EXCEEDED ->
          new TributaryException(
                  error.code(), ConnectFailures.ofLateCall(error.getMessage()), error.getCause())
              .at(peer);
      case UNAUTHENTICATED -> error.at(peer);
      default -> error;
    };
  }

  private static TributaryException unavailable(String why, Status status) {
    return new TributaryException(ErrorCode.UNAVAILABLE, why, status.getCause());
  }
}
