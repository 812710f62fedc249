package dev.tributary.cluster.internal.stream;

import dev.tributary.internal.memory.Memory;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Memory for one tensor at a time on its way to another process, which both have mapped. Whose turn
 * it is stands at its beginning: the sender {@linkplain #take takes} a free slot and fills it, and
 * the receiver's tensor refers to it until the receiver {@linkplain #release releases} it. A slot
 * that the sender has {@linkplain #abandon abandoned} is the receiver's alone.
 */
final class SharedSlot implements AutoCloseable {
  private static final int FREE = 0;
  private static final int TAKEN = 1;
  private static final int ABANDONED = 2;
  private static final int DROPPED = 3;

  /** Elements begin at a multiple of 64, as those of all tensors do. */
  private static final int HEADER = 64;

  /** The largest size of one mapping; larger tensors take another way. */
  static final long LARGEST = 1L << 30;

  private static final VarHandle INTS =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final Path file;
  private final MappedByteBuffer memory;

  private SharedSlot(Path file, MappedByteBuffer memory) {
    this.file = file;
    this.memory = memory;
  }

  /**
   * A new one, taken by this process. An IOException if the system has no memory for it: it is
   * asked for all of it now, since what is missing later would end the process.
   */
  static SharedSlot create(long capacity) throws IOException {
    if (SharedFolder.room() < 2 * capacity) {
      throw new IOException("shared memory has no room for " + capacity + " bytes more");
    }
    Path file = SharedFolder.newFile();
    try (FileChannel channel = open(file)) {
      reserve(channel, HEADER + capacity);
      SharedSlot slot = map(file, channel);
      INTS.setVolatile(slot.memory, 0, TAKEN);
      return slot;
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }

  /** Maps what the other side made, and removes its name. */
  static SharedSlot open(String path) throws IOException {
    Path file = Path.of(path);
    SharedFolder.requireOurs(file);
    try (FileChannel channel = open(file)) {
      Files.deleteIfExists(file);
      if (channel.size() < HEADER || channel.size() > HEADER + LARGEST) {
        throw new IOException("malformed: shared memory of " + channel.size() + " bytes");
      }
      return map(file, channel);
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
  }

  private static SharedSlot map(Path file, FileChannel channel) throws IOException {
    return new SharedSlot(file, channel.map(MapMode.READ_WRITE, 0, channel.size()));
  }

  private static void reserve(FileChannel channel, long bytes) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(bytes, 1 << 20));
    for (long written = 0; written < bytes; ) {
      zeros.position(0).limit((int) Math.min(bytes - written, zeros.capacity()));
      written += channel.write(zeros);
    }
  }

  /** The name by which the other side opens it. */
  String path() {
    return file.toString();
  }

  long capacity() {
    return (long) memory.capacity() - HEADER;
  }

  long address() {
    return Memory.address(memory) + HEADER;
  }

  /** The sender's: whether it was free, and is not any more. */
  boolean take() {
    return INTS.compareAndSet(memory, 0, FREE, TAKEN);
  }

  boolean isFree() {
    return (int) INTS.getVolatile(memory, 0) == FREE;
  }

  /**
   * The receiver's, or the sender's for what it has not sent: whether the sender can use it again.
   */
  boolean release() {
    return INTS.compareAndSet(memory, 0, TAKEN, FREE);
  }

  /** The sender's: it will not use it any more. What is in it is still to be received. */
  void abandon() {
    while (!INTS.compareAndSet(memory, 0, FREE, DROPPED)
        && !INTS.compareAndSet(memory, 0, TAKEN, ABANDONED)) {
      Thread.onSpinWait(); // It was released between the two.
    }
  }

  /** The receiver's: whether it was free when the sender abandoned it. */
  boolean isDropped() {
    return (int) INTS.getVolatile(memory, 0) == DROPPED;
  }

  /** In case the other side has never opened it. */
  void dropName() throws IOException {
    Files.deleteIfExists(file);
  }

  /** Unmaps it here; no tensor refers to it and nobody fills it. */
  @Override
  public void close() {
    Memory.unmap(memory);
  }
}
