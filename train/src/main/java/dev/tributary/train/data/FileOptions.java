package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.record.Compression;

/**
 * The way in which files are read. Immutable.
 *
 * @param bufferBytes how much is read at once, 0 for what is usual
 * @param parallelReads how many files are read in turns; 1 reads one after the other
 */
public record FileOptions(Compression compression, long bufferBytes, int parallelReads) {
  private static final FileOptions DEFAULTS = new FileOptions(Compression.NONE, 0, 1);

  public FileOptions {
    if (bufferBytes < 0) {
      throw TributaryException.invalidArgument(
          "bufferBytes is %d: give 0 for the usual size, or more", bufferBytes);
    }
    if (parallelReads < 1 && parallelReads != Dataset.AUTOTUNE) {
      throw TributaryException.invalidArgument(
          "parallelReads is %d: give 1 or more, or AUTOTUNE", parallelReads);
    }
  }

  /** Files without compression, one after the other. */
  public static FileOptions defaults() {
    return DEFAULTS;
  }

  public FileOptions withCompression(Compression other) {
    return new FileOptions(other, bufferBytes, parallelReads);
  }

  public FileOptions withBufferBytes(long bytes) {
    return new FileOptions(compression, bytes, parallelReads);
  }

  /**
   * Reads several files in turns, a record from each; the order is the same in each pass. {@link
   * Dataset#AUTOTUNE} leaves the number to the runtime.
   */
  public FileOptions withParallelReads(int files) {
    return new FileOptions(compression, bufferBytes, files);
  }
}
