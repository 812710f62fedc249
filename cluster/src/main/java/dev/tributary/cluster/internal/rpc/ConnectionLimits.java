package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.spec.Limits;
import io.grpc.netty.NettyServerBuilder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Bounds what one connection can cost a server, whoever is at its other end. gRPC and Netty hold
 * them.
 *
 * @param calls how many calls may be under way at once; a caller's further ones wait there
 * @param resets how many calls may be broken off within {@link #WINDOW}, by the caller or for its
 *     faults, before the connection is closed. A step that fails breaks off all its transfers at
 *     once, so this must not be less than the calls
 * @param idle after how much time without a call a connection is closed. Callers connect again when
 *     they need to
 */
record ConnectionLimits(int calls, int resets, Duration idle) {
  static final Duration WINDOW = Duration.ofSeconds(10);
  private static final Duration IDLE = Duration.ofMinutes(10);

  static ConnectionLimits of(Limits limits) {
    return new ConnectionLimits(limits.connectionCalls(), limits.connectionCalls(), IDLE);
  }

  void applyTo(NettyServerBuilder server) {
    server
        .maxConcurrentCallsPerConnection(calls)
        .maxConnectionIdle(idle.toMillis(), TimeUnit.MILLISECONDS);
    try {
      server.maxRstFramesPerWindow(resets, (int) WINDOW.toSeconds());
    } catch (NoSuchMethodError e) {
      // gRPC before 1.59 leaves this to Netty.
    }
  }
}
