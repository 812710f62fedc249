package dev.tributary.internal.kernel.io;

import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.record.Compression;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;

/** The lines of a text file without their ends. Carriage returns are left out wherever they are. */
final class TextLineSource implements RecordSource {
  private static final int BUFFER = 1 << 16;

  private final String work;
  private final Path path;
  private final InputStream in;
  private long lines;

  private TextLineSource(String work, Path path, InputStream in) {
    this.work = work;
    this.path = path;
    this.in = in;
  }

  /** The lines of files after their first few. */
  static Opener opener(long headerLines) {
    return opener(headerLines, Compression.NONE);
  }

  static Opener opener(long headerLines, Compression compression) {
    return (files, work) -> open(files, work, headerLines, compression);
  }

  private static RecordSource open(
      FileRoot files, String work, long headerLines, Compression compression) {
    Path path = files.resolve(work);
    try {
      TextLineSource source =
          new TextLineSource(
              work, path, new BufferedInputStream(compression.unpack(files.stream(path)), BUFFER));
      for (long i = 0; i < headerLines && source.next().isPresent(); i++) {}
      return source;
    } catch (IOException e) {
      throw FileFailure.of("read text file", path, e);
    }
  }

  @Override
  public Optional<SourceRecord> next() {
    try {
      int read = in.read();
      if (read < 0) {
        return Optional.empty();
      }
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (; read >= 0 && read != '\n'; read = in.read()) {
        if (read != '\r') {
          line.write(read);
        }
      }
      return Optional.of(SourceRecord.at(work, ++lines, line.toByteArray()));
    } catch (IOException e) {
      throw FileFailure.of("read text file", path, e);
    }
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw FileFailure.of("close text file", path, e);
    }
  }
}
