package dev.tributary.cluster.internal.protocol;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts of the steps that a master or a worker has run, and of the failures of its calls by code,
 * since its start. Safe for use by many threads.
 */
public final class CallCounters {
  private final LongAdder steps = new LongAdder();
  private final LongAdder stepNanos = new LongAdder();
  private final Map<ErrorCode, LongAdder> failures = new EnumMap<>(ErrorCode.class);

  public CallCounters() {
    for (ErrorCode code : ErrorCode.values()) {
      failures.put(code, new LongAdder());
    }
  }

  /** Counts a step that has ended, well or not. */
  public void stepEnded(long nanos) {
    steps.increment();
    stepNanos.add(nanos);
  }

  /** Counts a call that has failed. */
  public void failed(Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    ErrorCode code =
        cause instanceof TributaryException failure ? failure.code() : ErrorCode.INTERNAL;
    failures.get(code).increment();
  }

  public long steps() {
    return steps.sum();
  }

  /** Returns the time that all steps have taken together. */
  public Duration stepTime() {
    return Duration.ofNanos(stepNanos.sum());
  }

  /** Returns the failures by code; codes that have not occurred are left out. */
  public Map<ErrorCode, Long> failures() {
    Map<ErrorCode, Long> counts = new EnumMap<>(ErrorCode.class);
    failures.forEach(
        (code, count) -> {
          if (count.sum() > 0) {
            counts.put(code, count.sum());
          }
        });
    return counts;
  }
}
