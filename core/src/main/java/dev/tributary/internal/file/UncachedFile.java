package dev.tributary.internal.file;

import com.sun.nio.file.ExtendedOpenOption;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * A {@link PartFile} that goes to the disk past the system's cache, where the system can do so:
 * files that are large, and that nobody reads soon. Of a core, 1 GiB takes 0.2 s in this way; by
 * the cache it took 1.2 s, which the steps that go on beside a save have to wait for.
 *
 * <p>The disk takes whole blocks from memory that begins at a multiple of a block: all goes through
 * a buffer of this file that is so arranged. Confined to one thread.
 */
public final class UncachedFile implements AutoCloseable {
  private static final int BUFFER = 1 << 20;

  private final PartFile file;
  private final int block;
  private final ByteBuffer buffer;
  private boolean isComplete;

  private UncachedFile(PartFile file, int block) {
    this.file = file;
    this.block = block;
    this.buffer =
        block == 1
            ? ByteBuffer.allocate(0)
            : ByteBuffer.allocateDirect(BUFFER + block).alignedSlice(block).limit(BUFFER).slice();
  }

  /** Begins a file, in a folder that is made if there is none. */
  public static UncachedFile create(Path whole) {
    try {
      PartFile file = PartFile.create(whole, Set.of(ExtendedOpenOption.DIRECT));
      try {
        return new UncachedFile(file, blockSize(whole));
      } catch (RuntimeException e) {
        file.close();
        throw e;
      }
    } catch (UnsupportedOperationException | IllegalArgumentException | TributaryException e) {
      // Not every file system can, and each has its own way to say so; what else is wrong will be
      // so
      // again.
      return new UncachedFile(PartFile.create(whole), 1);
    }
  }

  private static int blockSize(Path whole) {
    try {
      return Math.toIntExact(Files.getFileStore(whole.toAbsolutePath().getParent()).getBlockSize());
    } catch (IOException e) {
      throw FileFailure.of("write", whole, e);
    }
  }

  /** Returns how many bytes were written so far. */
  public long size() {
    return file.size() + buffer.position();
  }

  /** Appends all that remains in a buffer. */
  public void write(ByteBuffer bytes) {
    if (block == 1) {
      file.write(bytes);
      return;
    }
    while (bytes.hasRemaining()) {
      int count = Math.min(bytes.remaining(), buffer.remaining());
      buffer.put(bytes.slice(bytes.position(), count));
      bytes.position(bytes.position() + count);
      if (!buffer.hasRemaining()) {
        flush();
      }
    }
  }

  /** Writes the end of the file and brings all of it to the disk; nothing can be added then. */
  public void complete() {
    if (!isComplete) {
      long size = size();
      while (buffer.position() % block != 0) {
        buffer.put((byte) 0);
      }
      flush();
      file.truncate(size);
      file.sync();
      isComplete = true;
    }
  }

  /** Brings the file to the disk and gives it its name, in place of any other of that name. */
  public void commit() {
    complete();
    file.commit();
  }

  private void flush() {
    file.write(buffer.flip());
    buffer.clear();
  }

  @Override
  public void close() {
    file.close();
  }
}
