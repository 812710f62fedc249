package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * The bytes of one message, for gRPC to copy into its own buffers. gRPC takes byte arrays only, so
 * large messages go there in pieces that stay in the processor's cache. Confined to one thread.
 */
final class MessageStream extends InputStream implements Drainable, KnownLength {
  private static final int PIECE = 1 << 15;

  private final ByteString message;
  private int position;

  MessageStream(ByteString message) {
    this.message = message;
  }

  @Override
  public int available() {
    return message.size() - position;
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    int drained = available();
    byte[] piece = new byte[Math.min(drained, PIECE)];
    for (ByteBuffer buffer : message.substring(position).asReadOnlyByteBufferList()) {
      while (buffer.hasRemaining()) {
        int size = Math.min(buffer.remaining(), piece.length);
        buffer.get(piece, 0, size);
        target.write(piece, 0, size);
      }
    }
    position = message.size();
    return drained;
  }

  @Override
  public int read() {
    return available() == 0 ? -1 : message.byteAt(position++) & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (available() == 0) {
      return length == 0 ? 0 : -1;
    }
    int size = Math.min(length, available());
    message.substring(position, position + size).copyTo(target, offset);
    position += size;
    return size;
  }
}
