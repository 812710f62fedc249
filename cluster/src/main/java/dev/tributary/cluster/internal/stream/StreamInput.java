package dev.tributary.cluster.internal.stream;

import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Memory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads numbers and texts by way of a small buffer, and elements past it, straight to where they
 * belong. Confined to one thread.
 */
final class StreamInput {
  private static final int BUFFER = 1 << 14;
  private static final int LARGEST_READ = 1 << 30;

  private final StreamChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER).flip();
  private final TaskMemory memory;
  private final IncomingSlots slots;

  /** The number of bytes read, while a message is under way. */
  private volatile long position = StallWatch.IDLE;

  private long readBytes;
  private Optional<TributaryException> refusal = Optional.empty();

  /**
   * @param memory takes the values that come
   */
  StreamInput(StreamChannel channel, TaskMemory memory) {
    this.channel = channel;
    this.memory = memory;
    this.slots = new IncomingSlots(memory.budget());
  }

  /** Makes the tensors of values that come. */
  Allocator allocator() {
    return memory.allocator();
  }

  /** Counts a value that has to be decoded while it comes in; RESOURCE_EXHAUSTED if it is large. */
  void reserve(long bytes) {
    if (bytes > memory.budget().limit()) {
      throw memory.budget().exhausted(bytes, "a value");
    }
    memory.messages().reserve(bytes);
  }

  /** Ends what {@link #reserve} began. */
  void release(long bytes) {
    memory.messages().release(bytes);
  }

  /**
   * Notes that there is no memory for a value. It is to be read all the same, since what follows is
   * of others.
   */
  void refuse(TributaryException reason) {
    refusal = refusal.or(() -> Optional.of(reason));
  }

  /** The reason why a value was refused since the last call, if one was. */
  Optional<TributaryException> takeRefusal() {
    Optional<TributaryException> taken = refusal;
    refusal = Optional.empty();
    return taken;
  }

  /** The shared memory by which large tensors come in. */
  IncomingSlots slots() {
    return slots;
  }

  /** Waits for the next message, however long that takes, and returns its first byte. */
  byte begin() throws IOException {
    byte kind = readByte();
    position = readBytes;
    return kind;
  }

  /** Ends what {@link #begin} began. */
  void end() {
    position = StallWatch.IDLE;
  }

  /** Returns the progress of the message under way, for a {@link StallWatch}. */
  long position() {
    return position;
  }

  byte readByte() throws IOException {
    require(Byte.BYTES);
    return buffer.get();
  }

  int readInt() throws IOException {
    require(Integer.BYTES);
    return buffer.getInt();
  }

  long readLong() throws IOException {
    require(Long.BYTES);
    return buffer.getLong();
  }

  int readCount(int most) throws IOException {
    int count = readInt();
    if (count < 0 || count > most) {
      throw new IOException("malformed: " + count + " values, the most are " + most);
    }
    return count;
  }

  String readText(int most) throws IOException {
    return new String(readBytes(readInt(), most), StandardCharsets.UTF_8);
  }

  byte[] readBytes(int count, int most) throws IOException {
    if (count < 0 || count > most) {
      throw new IOException("malformed: a text of " + count + " bytes, the most are " + most);
    }
    byte[] bytes = new byte[count];
    int buffered = Math.min(count, buffer.remaining());
    buffer.get(bytes, 0, buffered);
    ByteBuffer rest = ByteBuffer.wrap(bytes, buffered, count - buffered);
    while (rest.hasRemaining()) {
      read(rest);
    }
    return bytes;
  }

  /** Reads into native memory, which the caller holds meanwhile. */
  void readTo(long address, long count) throws IOException {
    int buffered = (int) Math.min(count, buffer.remaining());
    Memory.bytes(address, buffered).put(buffer.slice().limit(buffered));
    buffer.position(buffer.position() + buffered);
    long done = buffered;
    while (done < count) {
      ByteBuffer target = Memory.bytes(address + done, (int) Math.min(count - done, LARGEST_READ));
      while (target.hasRemaining()) {
        done += read(target);
      }
    }
  }

  /** Reads what nobody wants. */
  void skip(long count) throws IOException {
    long left = count;
    while (left > 0) {
      require(1);
      int size = (int) Math.min(left, buffer.remaining());
      buffer.position(buffer.position() + size);
      left -= size;
    }
  }

  private void require(int count) throws IOException {
    if (buffer.remaining() >= count) {
      return;
    }
    buffer.compact();
    try {
      while (buffer.position() < count) {
        read(buffer);
      }
    } finally {
      buffer.flip();
    }
  }

  private int read(ByteBuffer target) throws IOException {
    int size = channel.read(target);
    if (size < 0) {
      throw new EOFException("the other side has closed it");
    }
    readBytes += size;
    if (position != StallWatch.IDLE) {
      position = readBytes;
    }
    return size;
  }
}
