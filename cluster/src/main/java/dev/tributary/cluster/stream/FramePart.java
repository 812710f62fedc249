package dev.tributary.cluster.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;

/** A part of a message on its way out. Confined to one thread at a time. */
sealed interface FramePart {
  /**
   * Writes as much as there is room for; returns whether that was all.
   *
   * @param waits whether to wait for room, which the channel itself then does, too
   */
  boolean writeTo(WritableByteChannel channel, Optional<SharedRing> ring, boolean waits)
      throws IOException;

  /** Goes through the socket. */
  record Bytes(ByteBuffer bytes) implements FramePart {
    @Override
    public boolean writeTo(WritableByteChannel channel, Optional<SharedRing> ring, boolean waits)
        throws IOException {
      while (bytes.hasRemaining()) {
        if (channel.write(bytes) == 0) {
          return false;
        }
      }
      return true;
    }
  }

  /** Goes through shared memory in pieces; the length of each goes through the socket after it. */
  final class Shared implements FramePart {
    private final ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).flip();
    private long address;
    private long left;

    Shared(long address, long bytes) {
      this.address = address;
      this.left = bytes;
    }

    @Override
    public boolean writeTo(WritableByteChannel channel, Optional<SharedRing> ring, boolean waits)
        throws IOException {
      SharedRing to = ring.orElseThrow();
      while (length.hasRemaining() || left > 0) {
        if (length.hasRemaining()) {
          if (channel.write(length) == 0) {
            return false;
          }
          continue;
        }
        int size = to.put(address, left);
        if (size > 0) {
          address += size;
          left -= size;
          length.clear().putInt(size).flip();
        } else if (waits) {
          to.awaitRoom();
        } else {
          return false;
        }
      }
      return true;
    }
  }
}
