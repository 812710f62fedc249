package dev.tributary.internal.kernel.io;

import dev.tributary.internal.file.FileRoot;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** One record, whose key is the work itself. */
final class SingleRecordSource implements RecordSource {
  private Optional<SourceRecord> record;

  private SingleRecordSource(byte[] key, byte[] value) {
    this.record = Optional.of(new SourceRecord(key, value));
  }

  /** The content of the file. */
  static RecordSource wholeFile(FileRoot files, String work) {
    return new SingleRecordSource(bytes(work), FileKernels.content(files, work));
  }

  /** The work as a record. */
  static RecordSource identity(FileRoot files, String work) {
    return new SingleRecordSource(bytes(work), bytes(work));
  }

  @Override
  public Optional<SourceRecord> next() {
    Optional<SourceRecord> only = record;
    record = Optional.empty();
    return only;
  }

  @Override
  public boolean isSpent() {
    return record.isEmpty();
  }

  private static byte[] bytes(String work) {
    return work.getBytes(StandardCharsets.UTF_8);
  }
}
