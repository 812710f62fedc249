package dev.tributary.cluster.protocol;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A log for lines that others can cause as often as they like: it writes one in 10 s at most, with
 * the number of those left out before it. Safe for use by many threads.
 */
public final class RareLog {
  private static final long PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

  private final Consumer<String> log;
  private final LongSupplier nanos;
  private long writtenNanos; // Guarded by this, as are the others.
  private boolean isWritten;
  private long leftOut;

  public RareLog(Consumer<String> log) {
    this(log, System::nanoTime);
  }

  RareLog(Consumer<String> log, LongSupplier nanos) {
    this.log = log;
    this.nanos = nanos;
  }

  public void write(String line) {
    admitted(line).ifPresent(log);
  }

  private synchronized Optional<String> admitted(String line) {
    long now = nanos.getAsLong();
    if (isWritten && now - writtenNanos < PAUSE_NANOS) {
      leftOut++;
      return Optional.empty();
    }
    String text = leftOut == 0 ? line : line + " (" + leftOut + " similar lines were left out)";
    isWritten = true;
    writtenNanos = now;
    leftOut = 0;
    return Optional.of(text);
  }
}
