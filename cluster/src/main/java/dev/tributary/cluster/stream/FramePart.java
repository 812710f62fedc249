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

  /** Goes through shared memory in pieces; a reader that sleeps is woken through the socket. */
  final class Shared implements FramePart {
    private final ByteBuffer wake = ByteBuffer.allocate(1).put(SharedRing.WAKE);
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
      while (wake.hasRemaining() || left > 0) {
        if (wake.hasRemaining()) {
          if (channel.write(wake) == 0) {
            return false;
          }
          continue;
        }
        int size = to.put(address, left);
        address += size;
        left -= size;
        if (size > 0) {
          if (to.wakesReader()) {
            wake.rewind();
          }
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
