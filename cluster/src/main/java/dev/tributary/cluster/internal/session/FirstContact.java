package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.rpc.GrpcMaster;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.TimeText;
import dev.tributary.internal.time.Ticker;
import dev.tributary.session.ClusterOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The first contact of a client with a master. A master that may just be starting is tried again
 * for a while; an address at which no waiting helps fails at once. Confined to one thread.
 */
final class FirstContact {
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Hosts that this process has reached: if the name of one vanishes, it is down, not mistyped. */
  private static final Set<String> REACHED = ConcurrentHashMap.newKeySet();

  private final String target;
  private final HostAndPort address;
  private final ClusterOptions options;
  private final Ticker ticker;

  FirstContact(String target, HostAndPort address, ClusterOptions options, Ticker ticker) {
    this.target = target;
    this.address = address;
    this.options = options;
    this.ticker = ticker;
  }

  /**
   * Returns when the name of the host is known. One that is not is NOT_FOUND, or UNAVAILABLE if it
   * is expected to appear.
   */
  void lookUp() {
    Duration limit = shorter(options.lookupTimeout());
    long start = ticker.nanos();
    while (true) {
      try {
        InetAddress.getByName(address.host());
        return;
      } catch (UnknownHostException e) {
        if (isOver(start, limit)) {
          throw unknownHost(limit);
        }
      }
      pause();
    }
  }

  /**
   * Returns when the master has answered. One that cannot be reached is UNAVAILABLE. Time counts
   * from the first failure, so that a cold start of this process is not held against the master.
   */
  void connect(GrpcMaster master) {
    Duration limit = shorter(options.connectTimeout());
    OptionalLong firstFailure = OptionalLong.empty();
    while (true) {
      try {
        Answers.await(master.check(CallOptions.defaults().within(limit)));
        REACHED.add(address.host());
        return;
      } catch (TributaryException e) {
        if (e.code() != ErrorCode.UNAVAILABLE && e.code() != ErrorCode.DEADLINE_EXCEEDED) {
          throw e.at(target);
        }
        long start = firstFailure.orElseGet(ticker::nanos);
        firstFailure = OptionalLong.of(start);
        if (isOver(start, limit)) {
          throw unreachable(e, limit);
        }
      }
      pause();
    }
  }

  private TributaryException unknownHost(Duration limit) {
    boolean mayAppear = !limit.isZero() || REACHED.contains(address.host());
    String tried = limit.isZero() ? "" : " for " + TimeText.of(limit);
    return new TributaryException(
        mayAppear ? ErrorCode.UNAVAILABLE : ErrorCode.NOT_FOUND,
        String.format(
            "%s: unknown host '%s'%s. Check the spelling; if the name is to appear later, raise the"
                + " lookup timeout (ClusterOptions.withLookupTimeout)",
            target, address.host(), tried));
  }

  private TributaryException unreachable(TributaryException last, Duration tried) {
    return new TributaryException(
        ErrorCode.UNAVAILABLE,
        String.format(
            "%s: %s. Tried for %s; check the address and that the server runs, or raise the connect"
                + " timeout (ClusterOptions.withConnectTimeout, --connect-timeout)",
            target, last.getMessage(), TimeText.of(tried)));
  }

  private Duration shorter(Duration limit) {
    return limit.compareTo(options.openTimeout()) < 0 ? limit : options.openTimeout();
  }

  private boolean isOver(long start, Duration limit) {
    return ticker.since(start).plus(PAUSE).compareTo(limit) >= 0;
  }

  private void pause() {
    try {
      ticker.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TributaryException(
          ErrorCode.CANCELLED, "the thread that waits for the master was interrupted");
    }
  }
}
