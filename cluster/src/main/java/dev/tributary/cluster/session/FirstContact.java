package dev.tributary.cluster.session;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.cluster.rpc.GrpcMaster;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.session.ClusterOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

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
  private final GrpcMaster master;
  private final ClusterOptions options;
  private final long start = System.nanoTime();

  FirstContact(String target, HostAndPort address, GrpcMaster master, ClusterOptions options) {
    this.target = target;
    this.address = address;
    this.master = master;
    this.options = options;
  }

  /**
   * Returns when the master has answered. A name that is unknown is NOT_FOUND, or UNAVAILABLE if it
   * is expected to appear; a master that cannot be reached is UNAVAILABLE.
   */
  void make() {
    lookUp();
    connect();
    REACHED.add(address.host());
  }

  // The name is looked up before gRPC does, whose failed look-ups end up in the log of the program.
  private void lookUp() {
    Duration limit = shorter(options.lookupTimeout());
    while (true) {
      try {
        InetAddress.getByName(address.host());
        return;
      } catch (UnknownHostException e) {
        if (isOver(limit)) {
          throw unknownHost(limit);
        }
      }
      pause();
    }
  }

  private void connect() {
    // A name that came late leaves the host the whole time to answer.
    Duration limit = elapsed().plus(shorter(options.connectTimeout()));
    while (true) {
      try {
        Answers.await(master.check(CallOptions.defaults().within(limit.minus(elapsed()))));
        return;
      } catch (TributaryException e) {
        switch (e.code()) {
          case UNAVAILABLE, DEADLINE_EXCEEDED -> {
            if (isOver(limit)) {
              throw unreachable(e);
            }
          }
          default -> throw e.at(target);
        }
      }
      pause();
    }
  }

  private TributaryException unknownHost(Duration limit) {
    boolean mayAppear = !limit.isZero() || REACHED.contains(address.host());
    String tried = limit.isZero() ? "" : " for " + seconds(limit);
    return new TributaryException(
        mayAppear ? ErrorCode.UNAVAILABLE : ErrorCode.NOT_FOUND,
        String.format(
            "%s: unknown host '%s'%s. Check the spelling; if the name is to appear later, raise the"
                + " lookup timeout (ClusterOptions.withLookupTimeout)",
            target, address.host(), tried));
  }

  private TributaryException unreachable(TributaryException last) {
    // gRPC's own exceptions, which the failure has as its cause, tell nothing more.
    return new TributaryException(
        ErrorCode.UNAVAILABLE,
        String.format(
            "%s: cannot be reached, tried for %s: %s. Check the address and that the server runs;"
                + " to wait longer, raise the connect timeout (ClusterOptions.withConnectTimeout)",
            target, seconds(elapsed()), last.getMessage()));
  }

  private Duration shorter(Duration limit) {
    return limit.compareTo(options.openTimeout()) < 0 ? limit : options.openTimeout();
  }

  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private boolean isOver(Duration limit) {
    return elapsed().plus(PAUSE).compareTo(limit) >= 0;
  }

  private static void pause() {
    try {
      TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TributaryException(
          ErrorCode.CANCELLED, "the thread that waits for the master was interrupted");
    }
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
  }
}
