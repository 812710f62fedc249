package dev.tributary.internal.kernel.io;

import dev.tributary.internal.file.FileRoot;
import java.util.Optional;

/** The records of one file, or of whatever else a reader's work is. Confined to one thread. */
interface RecordSource extends AutoCloseable {
  /** The next record, or nothing at the end. */
  Optional<SourceRecord> next();

  /** Returns whether no record follows, as far as that is known without reading on. */
  default boolean isSpent() {
    return false;
  }

  @Override
  default void close() {}

  /** Begins with a piece of work. */
  @FunctionalInterface
  interface Opener {
    RecordSource open(FileRoot files, String work);
  }
}
