package dev.tributary.cluster.internal.rpc;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import io.grpc.Status;
import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * Finds out whether a connection could not be made because the two sides do not accept each other.
 * gRPC reports that as UNAVAILABLE, like a task that is down; but waiting does not help.
 */
final class Handshakes {
  /** The error of a peer that goes down during a handshake; Netty does not publish its class. */
  private static final String BROKEN_OFF = "StacklessSSLHandshakeException";

  private static final Pattern WRONG_HOST =
      Pattern.compile("(?i)subject alternative|no name matching|match the host");

  /** Alerts by which the other side turns down a certificate. */
  private static final Pattern REFUSED_BY_OTHER =
      Pattern.compile(
          "ALERT.*(UNKNOWN_CA|UNKNOWN CA|CERTIFICATE_UNKNOWN|CERTIFICATE UNKNOWN|BAD_CERTIFICATE"
              + "|BAD CERTIFICATE|INTERNAL_ERROR|INTERNAL ERROR)");

  private Handshakes() {}

  /** UNAUTHENTICATED with the reason, if it was a handshake that failed. */
  static Optional<TributaryException> failure(Status status) {
    for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException refusal) {
        return ofTls(refusal, status);
      }
    }
    return Optional.empty();
  }

  private static Optional<TributaryException> ofTls(SSLException refusal, Status status) {
    if (isBrokenOff(refusal)) {
      return Optional.empty();
    }
    if (refusal instanceof NotSslRecordException) {
      return Optional.of(
          refused(
              "it does not speak TLS; start it with TLS (--tls or --mutual-tls), call it without,"
                  + " or check host and port",
              status));
    }
    return Optional.of(
        refused(
            "the TLS handshake failed: "
                + reason(refusal, "the server")
                + "; check the certificates (--tls or --mutual-tls)",
            status));
  }

  /**
   * Says which side does not accept which. TLS's own words are those of the side that fails, and of
   * the other one it says little: a client that does not know the server's authority sends it
   * "internal error".
   *
   * @param other what this side calls the other one
   */
  static String reason(Throwable failure, String other) {
    String text = withoutLibrary(deepestMessage(failure));
    String upper = text.toUpperCase(Locale.ROOT);
    if (isAboutTheirCertificate(failure)) {
      return WRONG_HOST.matcher(text).find()
          ? "the certificate of " + other + " is for other hosts: " + text
          : "this side does not trust the certificate of "
              + other
              + ", which is not signed by an"
              + " authority that this side knows: "
              + text;
    }
    if (upper.contains("PEER_DID_NOT_RETURN") || upper.contains("EMPTY CLIENT CERTIFICATE")) {
      return other + " shows no certificate, and this side wants one";
    }
    if (upper.contains("CERTIFICATE_REQUIRED")) {
      return other + " wants a certificate of this side, which shows none";
    }
    return REFUSED_BY_OTHER.matcher(upper).find()
        ? other + " does not trust the certificate of this side: " + text
        : text;
  }

  private static boolean isAboutTheirCertificate(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException || cause instanceof CertPathValidatorException) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBrokenOff(SSLException refusal) {
    return refusal.getClass().getSimpleName().equals(BROKEN_OFF);
  }

  /** The reason without the numbers and file names that OpenSSL puts before it. */
  private static String withoutLibrary(String reason) {
    return reason.replaceFirst("^error:[^ ]*:SSL routines:[^ ]*:", "");
  }

  private static String deepestMessage(Throwable thrown) {
    Throwable deepest = thrown;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return String.valueOf(deepest.getMessage());
  }

  private static TributaryException refused(String reason, Status status) {
    return new TributaryException(ErrorCode.UNAUTHENTICATED, reason, status.getCause());
  }
}
