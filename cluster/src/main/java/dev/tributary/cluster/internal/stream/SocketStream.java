package dev.tributary.cluster.internal.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;

/** A socket as it is: of this machine, or TCP in plain text. */
final class SocketStream implements StreamChannel {
  /** So much at a time, so that a writer that waits is seen to get on. */
  private static final int LARGEST_WRITE = 4 << 20;

  private final SocketChannel socket;
  private final AtomicLong writtenBytes = new AtomicLong();

  SocketStream(SocketChannel socket) {
    this.socket = socket;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return socket.read(target);
  }

  @Override
  public boolean write(ByteBuffer[] parts) throws IOException {
    int first = 0;
    while (true) {
      while (first < parts.length && !parts[first].hasRemaining()) {
        first++;
      }
      if (first == parts.length) {
        return true;
      }
      long written = writeFrom(parts, first);
      if (written == 0) {
        return false;
      }
      writtenBytes.addAndGet(written);
    }
  }

  /** Gathers small parts with what follows them: one call of the system, and fewer packets. */
  private long writeFrom(ByteBuffer[] parts, int first) throws IOException {
    long bytes = 0;
    int end = first;
    while (end < parts.length && bytes < LARGEST_WRITE) {
      bytes += parts[end].remaining();
      end++;
    }
    if (bytes <= LARGEST_WRITE) {
      return socket.write(parts, first, end - first);
    }
    ByteBuffer last = parts[end - 1];
    int limit = last.limit();
    last.limit(limit - (int) (bytes - LARGEST_WRITE));
    try {
      return socket.write(parts, first, end - first);
    } finally {
      last.limit(limit);
    }
  }

  @Override
  public void blockWriters(boolean wait) throws IOException {
    socket.configureBlocking(wait);
  }

  @Override
  public long writtenBytes() {
    return writtenBytes.get();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
