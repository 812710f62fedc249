package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.security.JobToken;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContext;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;

/**
 * The caller's side of authentication: TLS on its channels, tokens on its calls. The files are read
 * once. Immutable.
 *
 * @param streamTls makes engines for streams to a host
 * @param localTokens where servers of this machine leave theirs, for callers that have none
 */
record CallerSecurity(
    Optional<SslContext> tls,
    Optional<Function<String, SSLEngine>> streamTls,
    Optional<BearerToken> token,
    Optional<JobToken> adminToken,
    LocalTokens localTokens) {
  static CallerSecurity of(ChannelSecurity settings) {
    return new CallerSecurity(
        settings.tls().map(TlsContexts::ofClient),
        settings.tls().map(StreamTls::ofClient),
        settings.token().map(BearerToken::ofJob),
        settings.adminToken(),
        LocalTokens.ofUser());
  }

  void applyTo(NettyChannelBuilder channel) {
    tls.ifPresentOrElse(channel::sslContext, channel::usePlaintext);
  }

  /** Returns the credentials of calls to one peer. */
  Credentials towards(HostAndPort peer) {
    return new Credentials(peer);
  }

  /** Safe for use by many threads. */
  final class Credentials {
    private final HostAndPort peer;
    private volatile Optional<BearerToken> shown = token;

    private Credentials(HostAndPort peer) {
      this.peer = peer;
      refresh();
    }

    /** Before each connection: the peer may have started again, with another local token. */
    void refresh() {
      if (token.isEmpty()) {
        shown = localTokens.find(peer);
      }
    }

    /** For one call. */
    Metadata headers(MethodDescriptor<?, ?> method) {
      Metadata headers = new Metadata();
      shown.ifPresent(bearer -> bearer.addTo(headers));
      adminToken.ifPresent(secret -> AdminCalls.addTo(headers, method, secret));
      return headers;
    }
  }
}
