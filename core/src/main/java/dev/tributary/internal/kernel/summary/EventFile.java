package dev.tributary.internal.kernel.summary;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.event.EventMessages;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.record.Compression;
import dev.tributary.record.RecordWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An event file that summary writer ops write. Events are on the disk after a flush, which happens
 * by itself when too many wait or the last flush is too long ago. At most a buffer of fixed size
 * waits, whatever the graph asks for. Guarded by its own monitor.
 */
final class EventFile implements Resource {
  /**
   * The time that events may wait to be on the disk.
   *
   * @param mostWaiting the number of events that may wait
   * @param longest the time since the last flush after which an event flushes
   */
  record Patience(int mostWaiting, Duration longest) {}

  /** Distinguishes the files that one process makes in one second. */
  private static final AtomicLong NEXT = new AtomicLong();

  private final Patience patience;

  @GuardedBy("this")
  private final RecordWriter records;

  @GuardedBy("this")
  private int waiting;

  @GuardedBy("this")
  private Instant lastFlush;

  private EventFile(RecordWriter records, Patience patience, Instant now) {
    this.records = records;
    this.patience = patience;
    this.lastFlush = now;
  }

  /**
   * Creates a new file in a folder, which is made if there is none.
   *
   * @param suffix the end of the file's name
   */
  static EventFile create(
      FileRoot files, String folder, String suffix, String host, Patience patience) {
    Instant now = Instant.now();
    String name =
        String.format(
            Locale.ROOT,
            "events.out.tfevents.%010d.%s.%d.%d%s",
            now.getEpochSecond(),
            host,
            ProcessHandle.current().pid(),
            NEXT.getAndIncrement(),
            suffix);
    if (suffix.indexOf('/') >= 0) {
      throw TributaryException.invalidArgument(
          "filename_suffix is the end of a file name and cannot have a /, got '%s'", suffix);
    }
    Path path = files.resolveFolder(folder).resolve(name);
    try {
      RecordWriter records = RecordWriter.of(path, files.create(path), Compression.NONE);
      EventFile file = new EventFile(records, patience, now);
      file.write(EventMessages.version(now));
      file.flush();
      return file;
    } catch (IOException e) {
      throw FileFailure.of("create the event file", path, e);
    }
  }

  synchronized void write(byte[] event) {
    records.write(event);
    waiting++;
    boolean isLate = lastFlush.plus(patience.longest()).isBefore(Instant.now());
    if (waiting > patience.mostWaiting() || isLate) {
      flush();
    }
  }

  synchronized void flush() {
    records.flush();
    waiting = 0;
    lastFlush = Instant.now();
  }

  @Override
  public String kind() {
    return "summary writers";
  }

  @Override
  public synchronized void close() {
    records.close();
  }
}
