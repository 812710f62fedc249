package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.HasByteBuffer;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Hands gRPC the bytes of messages, and takes them, without a copy of its own.
 *
 * <p>Received bytes stand on the buffers they came in: they are good only until the listener's
 * {@code onMessage} returns. Sent bytes may stand on tensors: these are held until the call ends.
 */
enum MessageBytes implements Marshaller<ByteString> {
  INSTANCE;

  @Override
  public InputStream stream(ByteString message) {
    return new MessageStream(message);
  }

  @Override
  public ByteString parse(InputStream stream) {
    try {
      boolean buffers =
          stream instanceof HasByteBuffer has
              && has.byteBufferSupported()
              && stream.markSupported();
      return buffers ? view(stream) : ByteString.readFrom(stream);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ByteString view(InputStream stream) throws IOException {
    // A mark keeps gRPC from giving back the buffers that have been read.
    stream.mark(stream.available());
    List<ByteString> pieces = new ArrayList<>();
    while (stream.available() > 0) {
      ByteBuffer buffer = ((HasByteBuffer) stream).getByteBuffer();
      int size = buffer.remaining();
      pieces.add(UnsafeByteOperations.unsafeWrap(buffer));
      if (stream.skip(size) != size) {
        throw new IOException("a message ended early");
      }
    }
    return ByteString.copyFrom(pieces);
  }
}
