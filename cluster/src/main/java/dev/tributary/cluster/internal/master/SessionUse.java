package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CallOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * A session of the catalogue, and how long its client has been silent. A call only leaves a mark,
 * so that steps need not read a clock; {@link #look} dates it, which is as exact as it is often
 * called. Marks come from any thread, looks from one at a time.
 */
final class SessionUse {
  private final MasterSession session;
  private final String client;
  private final boolean isOfThisProcess;
  private final long openedNanos;
  private volatile boolean isUsed;
  private volatile boolean isLeased;
  private volatile long usedNanos;

  SessionUse(MasterSession session, CallOptions opening, long nanos) {
    this.session = session;
    this.client = opening.callerName();
    this.isOfThisProcess = opening.caller().isEmpty();
    this.openedNanos = nanos;
    this.usedNanos = nanos;
  }

  MasterSession session() {
    return session;
  }

  void use() {
    if (!isUsed) {
      isUsed = true;
    }
  }

  /** From now on its client says regularly that it is there. */
  void lease() {
    isLeased = true;
    use();
  }

  /** Dates the uses since the last look; a step that runs is one. */
  void look(long nanos) {
    if (isUsed || session.isBusy()) {
      isUsed = false;
      usedNanos = nanos;
    }
  }

  /**
   * Returns how long it may be silent before it ends: a client with a lease for the lease, another
   * one for the idle limit, and one in this process, which cannot go away alone, for ever.
   */
  Optional<Duration> silenceLimit(Duration lease, Duration idle) {
    if (isOfThisProcess) {
      return Optional.empty();
    }
    return Optional.of(isLeased ? lease : idle);
  }

  Duration silence(long nanos) {
    return Duration.ofNanos(nanos - usedNanos);
  }

  long openedNanos() {
    return openedNanos;
  }

  /** For errors and logs: {@code of 10.0.0.7:40312, open for 7200 s, idle for 3600 s}. */
  String describe(long nanos) {
    return String.format(
        "of %s, open for %d s, idle for %d s",
        client, Duration.ofNanos(nanos - openedNanos).toSeconds(), silence(nanos).toSeconds());
  }
}
