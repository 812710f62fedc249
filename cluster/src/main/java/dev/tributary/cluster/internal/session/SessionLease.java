package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Tells a master now and then that the client of a session is still there, so that the session ends
 * soon after the client does. A master that gives no leases is asked once. Safe for use by many
 * threads.
 */
final class SessionLease implements AutoCloseable {
  /** The number of renewals in the time of a lease. */
  private static final int RENEWALS = 3;

  private static final Duration CALL_LIMIT = Duration.ofSeconds(10);

  /** Until a master has said how long its leases are. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  /** The master gives no leases, or the session is gone. */
  private static final Set<ErrorCode> FINAL =
      Set.of(ErrorCode.UNIMPLEMENTED, ErrorCode.ABORTED, ErrorCode.CANCELLED);

  private final Function<CallOptions, CompletableFuture<Duration>> keepSession;
  private final Timer timer;
  private volatile Duration pause = PAUSE;
  private volatile boolean closed;

  private SessionLease(
      Function<CallOptions, CompletableFuture<Duration>> keepSession, Timer timer) {
    this.keepSession = keepSession;
    this.timer = timer;
  }

  /**
   * Takes a lease and renews it until it is closed.
   *
   * @param keepSession calls the master; gives the length of the lease
   */
  static SessionLease hold(
      Function<CallOptions, CompletableFuture<Duration>> keepSession, Timer timer) {
    SessionLease lease = new SessionLease(keepSession, timer);
    lease.renew();
    return lease;
  }

  private void renew() {
    if (closed) {
      return;
    }
    keepSession
        .apply(CallOptions.defaults().within(CALL_LIMIT))
        .whenComplete(
            (length, thrown) -> {
              if (thrown == null) {
                pause = length.dividedBy(RENEWALS);
              } else if (isFinal(thrown)) {
                return;
              }
              timer.after(pause, this::renew);
            });
  }

  private static boolean isFinal(Throwable thrown) {
    return Answers.failure(thrown) instanceof TributaryException failure
        && FINAL.contains(failure.code());
  }

  @Override
  public void close() {
    closed = true;
  }
}
