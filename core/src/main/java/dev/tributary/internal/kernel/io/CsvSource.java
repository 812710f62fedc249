package dev.tributary.internal.kernel.io;

import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.record.Compression;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The records of a CSV file, without their ends: line ends in quotes belong to the record. */
final class CsvSource implements RecordSource {
  private static final int BUFFER = 1 << 16;

  private final String work;
  private final Path path;
  private final InputStream in;
  private final boolean hasQuotes;
  private long records;

  private CsvSource(String work, Path path, InputStream in, boolean hasQuotes) {
    this.work = work;
    this.path = path;
    this.in = in;
    this.hasQuotes = hasQuotes;
  }

  static Opener opener(Compression compression, boolean hasQuotes, boolean hasHeader) {
    return (files, work) -> open(files, work, compression, hasQuotes, hasHeader);
  }

  private static RecordSource open(
      FileRoot files, String work, Compression compression, boolean hasQuotes, boolean hasHeader) {
    Path path = files.resolve(work);
    try {
      CsvSource source =
          new CsvSource(
              work,
              path,
              new BufferedInputStream(compression.unpack(files.stream(path)), BUFFER),
              hasQuotes);
      if (hasHeader) {
        source.next();
      }
      return source;
    } catch (IOException e) {
      throw FileFailure.of("read CSV file", path, e);
    }
  }

  @Override
  public Optional<SourceRecord> next() {
    try {
      ByteArrayOutputStream record = new ByteArrayOutputStream();
      boolean isQuoted = false;
      int read = in.read();
      if (read < 0) {
        return Optional.empty();
      }
      for (; read >= 0 && (isQuoted || read != '\n'); read = in.read()) {
        isQuoted ^= hasQuotes && read == '"';
        record.write(read);
      }
      return Optional.of(SourceRecord.at(work, ++records, withoutReturn(record.toByteArray())));
    } catch (IOException e) {
      throw FileFailure.of("read CSV file", path, e);
    }
  }

  private static byte[] withoutReturn(byte[] record) {
    int length = record.length;
    return length > 0 && record[length - 1] == '\r' ? Arrays.copyOf(record, length - 1) : record;
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw FileFailure.of("close CSV file", path, e);
    }
  }
}
