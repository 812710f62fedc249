package dev.tributary.internal.kernel.io;

import dev.tributary.internal.file.FileFailure;
import dev.tributary.record.Compression;
import dev.tributary.record.RecordReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The records of a TFRecord file; their keys tell where they begin. */
final class TfRecordSource implements RecordSource {
  private final String work;
  private final RecordReader reader;

  private TfRecordSource(String work, RecordReader reader) {
    this.work = work;
    this.reader = reader;
  }

  static Opener opener(Compression compression) {
    return (files, work) -> {
      Path path = files.resolve(work);
      try {
        return new TfRecordSource(work, RecordReader.of(path, files.stream(path), compression));
      } catch (IOException e) {
        throw FileFailure.of("read record file", path, e);
      }
    };
  }

  @Override
  public Optional<SourceRecord> next() {
    long offset = reader.offset();
    return reader.next().map(record -> SourceRecord.at(work, offset, record));
  }

  @Override
  public void close() {
    reader.close();
  }
}
