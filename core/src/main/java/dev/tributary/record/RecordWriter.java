package dev.tributary.record;

import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.MaskedCrc;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/**
 * Writes a TFRecord file. A reader may follow while it is written: what was flushed is there.
 * Confined to one thread.
 */
public final class RecordWriter implements AutoCloseable {
  private final Path path;
  private final OutputStream out;
  private final ByteBuffer header =
      ByteBuffer.allocate(Long.BYTES + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer footer =
      ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private RecordWriter(Path path, OutputStream out) {
    this.path = path;
    this.out = out;
  }

  public static RecordWriter create(Path path) {
    return create(path, Compression.NONE);
  }

  /**
   * Begins a file in an existing folder.
   *
   * @param options to open it with; without any, an existing file is replaced
   */
  public static RecordWriter create(Path path, Compression compression, OpenOption... options) {
    try {
      return of(path, Files.newOutputStream(path, options), compression);
    } catch (IOException e) {
      throw FileFailure.of("write record file", path, e);
    }
  }

  /**
   * Writes to a file that was opened, and closes it.
   *
   * @param path the name of the file in errors
   */
  public static RecordWriter of(Path path, OutputStream file, Compression compression) {
    try {
      return new RecordWriter(
          path, new BufferedOutputStream(compression.packed(file), Compression.BUFFER));
    } catch (IOException e) {
      throw FileFailure.of("write record file", path, e);
    }
  }

  public void write(byte[] record) {
    header.clear().putLong(record.length);
    header.putInt(MaskedCrc.of(header.duplicate().flip()));
    footer.clear().putInt(MaskedCrc.of(record));
    try {
      out.write(header.array());
      out.write(record);
      out.write(footer.array());
    } catch (IOException e) {
      throw FileFailure.of("write record file", path, e);
    }
  }

  public void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw FileFailure.of("write record file", path, e);
    }
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw FileFailure.of("write record file", path, e);
    }
  }
}
