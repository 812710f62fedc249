package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.rpc.message.StreamProto;
import dev.tributary.cluster.internal.rpc.message.StreamProto.OpenStreamResponse;
import dev.tributary.cluster.internal.stream.StreamEndpoint;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import io.grpc.ServerServiceDefinition;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Publishes the address of a task's stream. It is a call like any other, so only callers that are
 * allowed in learn it.
 */
final class StreamService {
  static final String NAME = "tributary.StreamService";

  private static final Codec<StreamEndpoint> ENDPOINT =
      Codec.of(
          OpenStreamResponse.getDefaultInstance(),
          endpoint ->
              OpenStreamResponse.newBuilder()
                  .setPath(endpoint.path().toString())
                  .setToken(ByteString.copyFrom(endpoint.token()))
                  .build(),
          message -> new StreamEndpoint(path(message.getPath()), message.getToken().toByteArray()));

  static final Rpc<Void, StreamEndpoint> OPEN_STREAM =
      Rpc.of(NAME, "OpenStream", Codec.EMPTY, ENDPOINT);

  private StreamService() {}

  static ServerServiceDefinition offering(
      StreamEndpoint endpoint, Cancellation stopping, CallerRules rules, Executor threads) {
    return new RpcService(NAME, StreamProto.getDescriptor(), stopping, rules, threads)
        .with(OPEN_STREAM, (nothing, options) -> CompletableFuture.completedFuture(endpoint))
        .build();
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw TributaryException.invalidArgument("'%s' is not a path: %s", text, e.getMessage());
    }
  }
}
