package dev.tributary.security;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The PEM files that TLS needs. They are read when a server starts and when a channel is made.
 *
 * @param authorities the trusted certificates: the peer's must be signed by one of them
 * @param identity this side's certificate and key; a server needs one, a client only for servers
 *     that ask for it
 * @param mutual whether a server asks its callers for certificates, and rejects those without one
 * @param adminRole whether a server that asks its callers for certificates takes calls that end the
 *     work of others, such as {@code Session.reset}, only from certificates with the role of an
 *     admin or a task
 */
public record TlsFiles(
    Path authorities, Optional<Identity> identity, boolean mutual, boolean adminRole) {
  /**
   * A certificate, with those between it and its authority if there are any, and its key.
   *
   * @param privateKey in PKCS #8 form, without a password
   */
  public record Identity(Path certificate, Path privateKey) {}

  public static TlsFiles trusting(Path authorities) {
    return new TlsFiles(authorities, Optional.empty(), false, false);
  }

  public TlsFiles withIdentity(Path certificate, Path privateKey) {
    return new TlsFiles(
        authorities, Optional.of(new Identity(certificate, privateKey)), mutual, adminRole);
  }

  /** Callers, too, must show certificates. */
  public TlsFiles withMutual() {
    return new TlsFiles(authorities, identity, true, adminRole);
  }

  /** Callers, too, must show certificates, and those who end the work of others one of an admin. */
  public TlsFiles withAdminRole() {
    return new TlsFiles(authorities, identity, true, true);
  }
}
