package dev.tributary.session;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.security.ChannelSecurity;
import java.time.Duration;
import java.util.List;

/**
 * Settings of a session on a cluster.
 *
 * @param openTimeout the longest time to open a session, including the wait for tasks of the
 *     cluster that are not up yet
 * @param connectTimeout the time for which a target that refuses connections is tried again before
 *     opening fails with UNAVAILABLE; also the longest wait for the answer of one attempt. Errors
 *     that waiting cannot fix fail at once: a malformed address, a server that wants other
 *     credentials or does not speak gRPC
 * @param lookupTimeout the time for which an unknown host name is looked up again; with zero, the
 *     default, an unknown name is a typing error and fails at once with NOT_FOUND. Set it if names
 *     appear late, as in Kubernetes: the failure is then UNAVAILABLE
 * @param deviceFilters the tasks that the session uses, as parts of device names; all if empty.
 *     Opening it does not wait for others
 * @param isolateState whether the session has variables of its own; otherwise all sessions on a
 *     cluster share them
 * @param stepTimeout the timeout of steps that have none of their own ({@link RunOptions#timeout})
 * @param silenceLimit the time without a sign of life after which a master that a call waits for
 *     counts as lost
 * @param shortCut whether a target in this process is called directly, without a connection
 * @param security authentication between the session and the target
 */
public record ClusterOptions(
    Duration openTimeout,
    Duration connectTimeout,
    Duration lookupTimeout,
    List<String> deviceFilters,
    boolean isolateState,
    Duration stepTimeout,
    Duration silenceLimit,
    boolean shortCut,
    ChannelSecurity security) {
  /**
   * Longer than masters wait for missing tasks, so that their answer, which names them, arrives.
   */
  private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(330);

  public ClusterOptions {
    requirePositive(openTimeout);
    requirePositive(connectTimeout);
    if (lookupTimeout.isNegative()) {
      throw TributaryException.invalidArgument(
          "the lookup timeout must be 0 or more, got %s", lookupTimeout);
    }
    requirePositive(stepTimeout);
    requirePositive(silenceLimit);
    deviceFilters = List.copyOf(deviceFilters);
  }

  public static ClusterOptions defaults() {
    return new ClusterOptions(
        OPEN_TIMEOUT,
        Duration.ofSeconds(5),
        Duration.ZERO,
        List.of(),
        false,
        Duration.ofHours(1),
        Duration.ofSeconds(5),
        true,
        ChannelSecurity.none());
  }

  public ClusterOptions withOpenTimeout(Duration limit) {
    return new ClusterOptions(
        limit,
        connectTimeout,
        lookupTimeout,
        deviceFilters,
        isolateState,
        stepTimeout,
        silenceLimit,
        shortCut,
        security);
  }

  public ClusterOptions withConnectTimeout(Duration limit) {
    return new ClusterOptions(
        openTimeout,
        limit,
        lookupTimeout,
        deviceFilters,
        isolateState,
        stepTimeout,
        silenceLimit,
        shortCut,
        security);
  }

  public ClusterOptions withLookupTimeout(Duration limit) {
    return new ClusterOptions(
        openTimeout,
        connectTimeout,
        limit,
        deviceFilters,
        isolateState,
        stepTimeout,
        silenceLimit,
        shortCut,
        security);
  }

  public ClusterOptions withDeviceFilters(String... filters) {
    return new ClusterOptions(
        openTimeout,
        connectTimeout,
        lookupTimeout,
        List.of(filters),
        isolateState,
        stepTimeout,
        silenceLimit,
        shortCut,
        security);
  }

  public ClusterOptions withIsolatedState() {
    return new ClusterOptions(
        openTimeout,
        connectTimeout,
        lookupTimeout,
        deviceFilters,
        true,
        stepTimeout,
        silenceLimit,
        shortCut,
        security);
  }

  public ClusterOptions withStepTimeout(Duration limit) {
    return new ClusterOptions(
        openTimeout,
        connectTimeout,
        lookupTimeout,
        deviceFilters,
        isolateState,
        limit,
        silenceLimit,
        shortCut,
        security);
  }

  public ClusterOptions withSilenceLimit(Duration limit) {
    return new ClusterOptions(
        openTimeout,
        connectTimeout,
        lookupTimeout,
        deviceFilters,
        isolateState,
        stepTimeout,
        limit,
        shortCut,
        security);
  }

  /** Calls targets in this process as if they were elsewhere. */
  public ClusterOptions withoutShortCut() {
    return new ClusterOptions(
        openTimeout,
        connectTimeout,
        lookupTimeout,
        deviceFilters,
        isolateState,
        stepTimeout,
        silenceLimit,
        false,
        security);
  }

  public ClusterOptions withSecurity(ChannelSecurity settings) {
    return new ClusterOptions(
        openTimeout,
        connectTimeout,
        lookupTimeout,
        deviceFilters,
        isolateState,
        stepTimeout,
        silenceLimit,
        shortCut,
        settings);
  }

  private static void requirePositive(Duration limit) {
    if (limit.isNegative() || limit.isZero()) {
      throw TributaryException.invalidArgument(
          "a timeout must be longer than 0 s, got %s", TimeText.of(limit));
    }
  }
}
