package dev.tributary.internal.kernel.io;

import dev.tributary.internal.file.FileRoot;
import dev.tributary.record.Compression;
import java.util.Optional;

/** The records of one file, or of whatever else a reader's work is. Confined to one thread. */
public interface RecordSource extends AutoCloseable {
  /** The next record, or nothing at the end. */
  Optional<SourceRecord> next();

  /** Returns whether no record follows, as far as that is known without reading on. */
  default boolean isSpent() {
    return false;
  }

  @Override
  default void close() {}

  /** The records of TFRecord files. */
  static Opener tfRecords(Compression compression) {
    return TfRecordSource.opener(compression);
  }

  /** The lines of text files. */
  static Opener textLines(Compression compression) {
    return TextLineSource.opener(0, compression);
  }

  /** The records of CSV files. */
  static Opener csv(Compression compression, boolean hasQuotes, boolean hasHeader) {
    return CsvSource.opener(compression, hasQuotes, hasHeader);
  }

  /** Records of one length; what is between header and footer must be a number of them. */
  static Opener fixedLength(int header, int record, int footer, Compression compression) {
    return FixedLengthSource.opener(
        new FixedLengthSource.Layout(header, record, footer, record, compression, true));
  }

  /** Begins with a piece of work. */
  @FunctionalInterface
  interface Opener {
    RecordSource open(FileRoot files, String work);
  }
}
