package dev.tributary.cluster.rpc;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import io.grpc.Status;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Finds out whether a connection could not be made because the two sides do not accept each other.
 * gRPC reports that as UNAVAILABLE, like a task that is down; but waiting does not help.
 */
final class Handshakes {
  /** The error of a peer that goes down during a handshake. */
  private static final String BROKEN_OFF = "closed while";

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
    String reason = deepestMessage(refusal);
    if (reason.contains(BROKEN_OFF)) {
      return Optional.empty();
    }
    if (refusal.getClass().getSimpleName().equals("NotSslRecordException")) {
      return Optional.of(
          refused(
              "it does not speak TLS; start it with TLS (--tls or --mutual-tls), call it without,"
                  + " or check host and port",
              status));
    }
    return Optional.of(
        refused(
            "the TLS handshake failed: "
                + withoutLibrary(reason)
                + "; check the certificates (--tls or --mutual-tls)",
            status));
  }

  /** The reason without the numbers and file names that OpenSSL puts before it. */
  static String withoutLibrary(String reason) {
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
