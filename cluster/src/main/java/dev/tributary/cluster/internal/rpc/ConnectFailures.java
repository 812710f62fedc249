package dev.tributary.cluster.internal.rpc;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * Reasons for which a task could not be reached, in a few words. gRPC's own texts say "io
 * exception", or contain the stack trace of the last attempt.
 */
final class ConnectFailures {
  private static final Pattern OVER_TIME =
      Pattern.compile(".*deadline exceeded after ([0-9]+\\.[0-9]{1,3})[0-9]*s.*", Pattern.DOTALL);
  private static final Pattern LAST_FAILURE =
      Pattern.compile(
          "Last Pick Failure=Status\\{code=[A-Z_]+, description=(?:.*?cause=[\\w.$]+: )?(.*)");

  private static final String UNKNOWN_HOST = "unknown host";
  private static final String REFUSED = "Connection refused, no process listens there";

  private ConnectFailures() {}

  /** The reason, if it was a connection that failed; {@code thrown} may be null. */
  static Optional<String> reason(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return Optional.of(UNKNOWN_HOST);
      }
      if (cause instanceof SSLException) {
        return Optional.of("the other side closed the connection during the TLS handshake");
      }
      if (cause instanceof NoRouteToHostException) {
        return Optional.of("no route to the host");
      }
      if (cause instanceof ConnectException failure) {
        return Optional.of(
            String.valueOf(failure.getMessage()).contains("refused")
                ? REFUSED
                : "no answer to the attempt to connect");
      }
    }
    return Optional.empty();
  }

  /** A text of gRPC about a call whose time is over, without stack traces; others unchanged. */
  static String ofLateCall(String text) {
    Matcher over = OVER_TIME.matcher(text);
    if (!over.matches()) {
      return text;
    }
    return "no answer within "
        + over.group(1)
        + " s"
        + lastFailure(text).map(why -> ": " + why).orElse("");
  }

  private static Optional<String> lastFailure(String text) {
    Matcher last = LAST_FAILURE.matcher(text);
    if (!last.find()) {
      return Optional.empty();
    }
    String why = last.group(1);
    if (why.contains(UnresolvedAddressException.class.getSimpleName())) {
      return Optional.of(UNKNOWN_HOST);
    }
    return Optional.of(why.contains("Connection refused") ? REFUSED : why);
  }
}
