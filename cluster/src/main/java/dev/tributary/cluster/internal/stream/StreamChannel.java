package dev.tributary.cluster.internal.stream;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One of the two sockets of a connection, after whatever protects it. Its data goes one way: one
 * side only reads, the other only writes. One thread at a time uses it; any thread may close it.
 */
interface StreamChannel extends AutoCloseable {
  /** Waits for bytes, and returns how many came; -1 if the other side has closed it. */
  int read(ByteBuffer target) throws IOException;

  /**
   * Writes the parts one after the other, and returns whether all have gone. Unless writers {@link
   * #blockWriters wait}, it stops where the other side is slow; call it again with the same parts.
   */
  boolean write(ByteBuffer[] parts) throws IOException;

  /** Lets writers wait for the other side or not; they do until this is called. */
  void blockWriters(boolean wait) throws IOException;

  /** The number of bytes that writers have got rid of, for those who watch for a stop. */
  long writtenBytes();

  /** Ends what reads or writes. */
  @Override
  void close() throws IOException;
}
