package dev.tributary.cluster.rpc;

import dev.tributary.session.ChannelSecurity;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContext;
import java.util.Optional;

/**
 * The caller's side of authentication: TLS on its channels, a token on its calls. The files are
 * read once. Immutable.
 */
record CallerSecurity(Optional<SslContext> tls, Optional<BearerToken> token) {
  static CallerSecurity of(ChannelSecurity settings) {
    return new CallerSecurity(
        settings.tls().map(TlsContexts::ofClient), settings.token().map(BearerToken::new));
  }

  void applyTo(NettyChannelBuilder channel) {
    tls.ifPresentOrElse(channel::sslContext, channel::usePlaintext);
  }

  /** For one call. */
  Metadata headers() {
    Metadata headers = new Metadata();
    token.ifPresent(bearer -> bearer.addTo(headers));
    return headers;
  }
}
