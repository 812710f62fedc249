package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import io.grpc.Detachable;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * The bytes of a request or an answer as they were received. A large message holds its buffers
 * until it is closed, so that it can be decoded on another thread than the one that moves bytes; a
 * small one stands on buffers that are good only until the listener's {@code onMessage} returns.
 *
 * @param buffers those of a large message
 */
record ReceivedMessage(ByteString bytes, Optional<InputStream> buffers) implements AutoCloseable {
  /** The size from which a copy takes longer than the way to another thread. */
  static final int LARGE = 1 << 20;

  static final Marshaller<ReceivedMessage> MARSHALLER =
      new Marshaller<>() {
        @Override
        public InputStream stream(ReceivedMessage message) {
          return MessageBytes.INSTANCE.stream(message.bytes());
        }

        @Override
        public ReceivedMessage parse(InputStream stream) {
          return ReceivedMessage.of(stream);
        }
      };

  private static ReceivedMessage of(InputStream stream) {
    try {
      if (stream.available() < LARGE || !(stream instanceof Detachable held)) {
        return new ReceivedMessage(MessageBytes.INSTANCE.parse(stream), Optional.empty());
      }
      InputStream buffers = held.detach();
      return new ReceivedMessage(MessageBytes.INSTANCE.parse(buffers), Optional.of(buffers));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isLarge() {
    return buffers.isPresent();
  }

  @Override
  public void close() {
    buffers.ifPresent(
        stream -> {
          try {
            stream.close();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
