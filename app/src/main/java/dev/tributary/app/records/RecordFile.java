package dev.tributary.app.records;

import dev.tributary.internal.file.PartFile;
import dev.tributary.record.Compression;
import dev.tributary.record.RecordWriter;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A file of records that appears under its name only when it is whole and {@link #commit} is
 * called. Confined to one thread at a time.
 */
final class RecordFile implements AutoCloseable {
  private final PartFile file;
  private final RecordWriter writer;
  private long count;

  RecordFile(Path path, Compression compression) {
    file = PartFile.create(path);
    writer =
        RecordWriter.of(
            path,
            new OutputStream() {
              @Override
              public void write(int b) {
                write(new byte[] {(byte) b}, 0, 1);
              }

              @Override
              public void write(byte[] bytes, int from, int length) {
                file.write(ByteBuffer.wrap(bytes, from, length));
              }
            },
            compression);
  }

  Path path() {
    return file.path();
  }

  long count() {
    return count;
  }

  /** The bytes on the disk, which are all there once it is {@link #finish finished}. */
  long bytes() {
    return file.size();
  }

  void write(byte[] record) {
    writer.write(record);
    count++;
  }

  /** Writes what is left of the records. */
  void finish() {
    writer.close();
    file.sync();
  }

  void commit() {
    file.commit();
  }

  /** Removes a file that was not committed. */
  @Override
  public void close() {
    file.close();
  }
}
