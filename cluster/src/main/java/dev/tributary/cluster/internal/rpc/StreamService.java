package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.rpc.message.StreamProto;
import dev.tributary.cluster.internal.rpc.message.StreamProto.OpenStreamResponse;
import dev.tributary.cluster.internal.stream.NetworkEndpoint;
import dev.tributary.cluster.internal.stream.StreamEndpoint;
import dev.tributary.cluster.internal.stream.StreamOffer;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import io.grpc.ServerServiceDefinition;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Offers callers the ways past gRPC to a task. It is a call like any other, so only callers that
 * are allowed in learn them.
 */
final class StreamService {
  static final String NAME = "tributary.StreamService";

  private static final Codec<StreamOffer> OFFER =
      Codec.of(
          OpenStreamResponse.getDefaultInstance(),
          StreamService::toMessage,
          message -> new StreamOffer(local(message), network(message)));

  static final Rpc<Void, StreamOffer> OPEN_STREAM = Rpc.of(NAME, "OpenStream", Codec.EMPTY, OFFER);

  private StreamService() {}

  static ServerServiceDefinition offering(
      Supplier<StreamOffer> offers, Cancellation stopping, CallerRules rules, Executor threads) {
    return new RpcService(NAME, StreamProto.getDescriptor(), stopping, rules, threads)
        .with(OPEN_STREAM, (nothing, options) -> CompletableFuture.completedFuture(offers.get()))
        .build();
  }

  private static OpenStreamResponse toMessage(StreamOffer offer) {
    OpenStreamResponse.Builder message = OpenStreamResponse.newBuilder();
    offer
        .local()
        .ifPresent(
            local ->
                message
                    .setPath(local.path().toString())
                    .setToken(ByteString.copyFrom(local.token())));
    offer
        .network()
        .ifPresent(
            network ->
                message
                    .setPort(network.port())
                    .setConnection(network.connection())
                    .setSecret(ByteString.copyFrom(network.secret())));
    return message.build();
  }

  private static Optional<StreamEndpoint> local(OpenStreamResponse message) {
    return message.getPath().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new StreamEndpoint(path(message.getPath()), message.getToken().toByteArray()));
  }

  private static Optional<NetworkEndpoint> network(OpenStreamResponse message) {
    return message.getPort() == 0
        ? Optional.empty()
        : Optional.of(
            new NetworkEndpoint(
                message.getPort(), message.getConnection(), message.getSecret().toByteArray()));
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw TributaryException.invalidArgument("'%s' is not a path: %s", text, e.getMessage());
    }
  }
}
