package dev.tributary.security;

import java.util.Optional;

/**
 * Authentication between the tasks and clients of a cluster: by TLS, by a token that all of them
 * know, by both, or, on a network that nobody else reaches, not at all. The same settings serve a
 * task for its own port and for the tasks that it calls, and a client for its calls.
 *
 * <pre>{@code
 * ChannelSecurity.none().withTls(TlsFiles.trusting(ca).withIdentity(certificate, privateKey));
 * ChannelSecurity.none().withToken(JobToken.read(file));
 * }</pre>
 *
 * <p>A token alone keeps strangers out but crosses the network in clear text, as tensors do then.
 *
 * @param adminToken a second secret, for calls that end the work of others: {@code Session.reset},
 *     its parts on each task, and the report of a task that it is done, by which parameter servers
 *     end. A server with one takes these calls only from callers that show it, too
 */
public record ChannelSecurity(
    Optional<TlsFiles> tls, Optional<JobToken> token, Optional<JobToken> adminToken) {
  private static final ChannelSecurity NONE =
      new ChannelSecurity(Optional.empty(), Optional.empty(), Optional.empty());

  /** Plain text, and no questions asked: what stock TensorFlow speaks. */
  public static ChannelSecurity none() {
    return NONE;
  }

  public ChannelSecurity withTls(TlsFiles files) {
    return new ChannelSecurity(Optional.of(files), token, adminToken);
  }

  public ChannelSecurity withToken(JobToken secret) {
    return new ChannelSecurity(tls, Optional.of(secret), adminToken);
  }

  public ChannelSecurity withAdminToken(JobToken secret) {
    return new ChannelSecurity(tls, token, Optional.of(secret));
  }

  /**
   * Returns whether a server with these settings knows its callers. TLS does not by itself: then
   * only callers know the server.
   */
  public boolean knowsCallers() {
    return token.isPresent() || tls.map(TlsFiles::mutual).orElse(false);
  }
}
