package dev.tributary.cluster.stream;

import dev.tributary.cluster.protocol.RecvTensorRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What is asked on a stream, and how it lies there. */
sealed interface Requests {
  /** No key is longer; one that is goes by gRPC. */
  int LONGEST_KEY = 1 << 10;

  byte RECEIVE = 1;
  byte CANCEL = 2;

  long call();

  record Receive(long call, RecvTensorRequest request) implements Requests {}

  record Cancel(long call) implements Requests {}

  static boolean fits(RecvTensorRequest request) {
    // A character is at most 3 bytes of UTF-8.
    return request.rendezvousKey().length() <= LONGEST_KEY / 3;
  }

  default ByteBuffer encode() {
    if (this instanceof Receive receive) {
      RecvTensorRequest request = receive.request();
      byte[] key = request.rendezvousKey().getBytes(StandardCharsets.UTF_8);
      return ByteBuffer.allocate(1 + 3 * Long.BYTES + Integer.BYTES + key.length)
          .put(RECEIVE)
          .putLong(call())
          .putLong(request.stepId())
          .putLong(request.requestId())
          .putInt(key.length)
          .put(key)
          .flip();
    }
    return ByteBuffer.allocate(1 + Long.BYTES).put(CANCEL).putLong(call()).flip();
  }

  static Requests read(StreamInput in) throws IOException {
    byte kind = in.readByte();
    long call = in.readLong();
    return switch (kind) {
      case RECEIVE -> {
        long step = in.readLong();
        long id = in.readLong();
        yield new Receive(call, new RecvTensorRequest(step, in.readText(LONGEST_KEY), id));
      }
      case CANCEL -> new Cancel(call);
      default -> throw new IOException("malformed: a request of kind " + kind);
    };
  }
}
