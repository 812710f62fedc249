package dev.tributary.cluster.rpc;

import com.google.protobuf.ByteString;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The client's side of a call: what came back becomes a future, which is done when gRPC has ended
 * the call and so reads the request no longer. gRPC calls it from one thread at a time.
 */
final class UnaryResponse<R> extends ClientCall.Listener<ByteString> {
  private final Codec<R> codec;
  private final String peer;
  private final CompletableFuture<R> future = new CompletableFuture<>();
  private R response;
  private boolean received;
  private TributaryException malformed;
  private volatile Optional<TributaryException> endedBy = Optional.empty();

  UnaryResponse(Codec<R> codec, String peer) {
    this.codec = codec;
    this.peer = peer;
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
  public void onMessage(ByteString message) {
    try {
      response = codec.decode().apply(message);
      received = true;
    } catch (RuntimeException e) {
      malformed =
          new TributaryException(
              ErrorCode.INTERNAL,
              "the answer of " + peer + " cannot be read: " + e.getMessage(),
              e);
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (!status.isOk()) {
      fail(endedBy.orElseGet(() -> located(status, trailers)));
    } else if (malformed != null) {
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
              .or(() -> ConnectFailures.reason(status).map(why -> unavailable(why, status)))
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
