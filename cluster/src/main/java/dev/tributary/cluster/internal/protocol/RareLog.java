package dev.tributary.cluster.internal.protocol;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.internal.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A log for lines that others can cause as often as they like: it writes one in 10 s at most, with
 * the number of those left out before it, and no more than {@value #LONGEST} characters of a line.
 * Safe for use by many threads.
 */
public final class RareLog {
  private static final long PAUSE_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int LONGEST = 800;

  private final Consumer<String> log;
  private final Ticker ticker;

  @GuardedBy("this")
  private long writtenNanos;

  @GuardedBy("this")
  private boolean isWritten;

  @GuardedBy("this")
  private long leftOut;

  public RareLog(Consumer<String> log) {
    this(log, Ticker.SYSTEM);
  }

  RareLog(Consumer<String> log, Ticker ticker) {
    this.log = log;
    this.ticker = ticker;
  }

  public void write(String line) {
    admitted(line).ifPresent(log);
  }

  /** One line of a text that others chose, of bounded length. */
  public static String oneLine(String text) {
    String start = text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
    return start.replaceAll("\\R", " ");
  }

  /** The line to write now, or nothing if it is to be left out. */
  public synchronized Optional<String> admitted(String line) {
    long now = ticker.nanos();
    if (isWritten && now - writtenNanos < PAUSE_NANOS) {
      leftOut++;
      return Optional.empty();
    }
    String text =
        oneLine(line) + (leftOut == 0 ? "" : " (" + leftOut + " similar lines were left out)");
    isWritten = true;
    writtenNanos = now;
    leftOut = 0;
    return Optional.of(text);
  }
}
