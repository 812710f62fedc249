package dev.tributary.cluster.server;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.TimeText;
import java.time.Duration;

/**
 * The timeouts of a server. No wait of a server is without one of these.
 *
 * @param session how long a new session waits for tasks that are not up
 * @param call how long a task may take to make a session or a graph ready
 * @param step how long a step may take whose client says nothing else
 * @param transfer how long a step waits for a value of another task
 * @param close how long the end of a session waits for its steps, and for tasks to forget them
 * @param stop after which a server that was told to stop is gone
 * @param silence after how much silence a task that others wait for counts as lost
 * @param lease how long a session of ours lasts whose client is gone; a client that is there renews
 *     it
 * @param idle how long a session lasts that nobody uses and whose client renews no lease, as stock
 *     TensorFlow's do not
 */
public record TimeLimits(
    Duration session,
    Duration call,
    Duration step,
    Duration transfer,
    Duration close,
    Duration stop,
    Duration silence,
    Duration lease,
    Duration idle) {
  public TimeLimits {
    requirePositive("session", session);
    requirePositive("call", call);
    requirePositive("step", step);
    requirePositive("transfer", transfer);
    requirePositive("close", close);
    requirePositive("stop", stop);
    requirePositive("silence", silence);
    requirePositive("lease", lease);
    requirePositive("idle", idle);
  }

  public static TimeLimits defaults() {
    return new TimeLimits(
        Duration.ofMinutes(5),
        Duration.ofMinutes(5),
        Duration.ofHours(1),
        Duration.ofHours(1),
        Duration.ofSeconds(10),
        Duration.ofSeconds(20),
        Duration.ofSeconds(5),
        Duration.ofMinutes(5),
        Duration.ofHours(24));
  }

  public TimeLimits withSession(Duration limit) {
    return new TimeLimits(limit, call, step, transfer, close, stop, silence, lease, idle);
  }

  public TimeLimits withCall(Duration limit) {
    return new TimeLimits(session, limit, step, transfer, close, stop, silence, lease, idle);
  }

  public TimeLimits withStep(Duration limit) {
    return new TimeLimits(session, call, limit, transfer, close, stop, silence, lease, idle);
  }

  public TimeLimits withTransfer(Duration limit) {
    return new TimeLimits(session, call, step, limit, close, stop, silence, lease, idle);
  }

  public TimeLimits withClose(Duration limit) {
    return new TimeLimits(session, call, step, transfer, limit, stop, silence, lease, idle);
  }

  public TimeLimits withStop(Duration limit) {
    return new TimeLimits(session, call, step, transfer, close, limit, silence, lease, idle);
  }

  public TimeLimits withSilence(Duration limit) {
    return new TimeLimits(session, call, step, transfer, close, stop, limit, lease, idle);
  }

  public TimeLimits withLease(Duration limit) {
    return new TimeLimits(session, call, step, transfer, close, stop, silence, limit, idle);
  }

  public TimeLimits withIdle(Duration limit) {
    return new TimeLimits(session, call, step, transfer, close, stop, silence, lease, limit);
  }

  private static void requirePositive(String name, Duration limit) {
    if (limit.isNegative() || limit.isZero()) {
      throw TributaryException.invalidArgument(
          "TimeLimits.%s must be longer than 0 s, got %s", name, TimeText.of(limit));
    }
  }
}
