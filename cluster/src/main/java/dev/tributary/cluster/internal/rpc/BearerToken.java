package dev.tributary.cluster.internal.rpc;

import dev.tributary.security.JobToken;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/**
 * A secret on the wire: {@code authorization: Bearer TOKEN} in the headers of every call. A server
 * with a token reads no message of a call that comes without it. Immutable.
 *
 * @param origin where callers get the token from, for errors
 */
record BearerToken(JobToken token, String origin) implements ServerInterceptor {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final String SCHEME = "Bearer ";

  /** The token that the tasks and clients of a job are configured with. */
  static BearerToken ofJob(JobToken token) {
    return new BearerToken(token, "its job's (ChannelSecurity.token, --token-file)");
  }

  void addTo(Metadata headers) {
    headers.put(AUTHORIZATION, SCHEME + token.secret());
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String authorization = headers.get(AUTHORIZATION);
    if (authorization != null
        && authorization.startsWith(SCHEME)
        && token.matches(authorization.substring(SCHEME.length()))) {
      return next.startCall(call, headers);
    }
    String fault =
        authorization == null
            ? "the call has no token, and this server requires " + origin
            : "the call's token is not the one that this server requires, " + origin;
    return RefusedCalls.refuse(call, Status.UNAUTHENTICATED.withDescription(fault));
  }
}
