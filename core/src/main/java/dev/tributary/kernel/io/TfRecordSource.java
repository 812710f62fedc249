package dev.tributary.kernel.io;

import dev.tributary.record.Compression;
import dev.tributary.record.RecordReader;
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
    return (files, work) ->
        new TfRecordSource(work, RecordReader.open(files.resolve(work), compression));
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
