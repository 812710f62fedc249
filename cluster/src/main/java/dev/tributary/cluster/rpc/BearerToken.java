package dev.tributary.cluster.rpc;

import dev.tributary.cluster.protocol.RareLog;
import dev.tributary.session.JobToken;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job's token on the wire: {@code authorization: Bearer TOKEN} in the headers of every call. A
 * server with a token reads no message of a call that comes without it. Immutable.
 */
record BearerToken(JobToken token) implements ServerInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(BearerToken.class);
  private static final RareLog REFUSALS = new RareLog(LOG::warn);
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final String SCHEME = "Bearer ";

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
            ? "the call has no token, and this server requires its job's (ChannelSecurity.token,"
                + " --token-file)"
            : "the call's token is not the one of this server's job (ChannelSecurity.token,"
                + " --token-file)";
    REFUSALS.write(
        String.format(
            "refused %s from %s: %s",
            call.getMethodDescriptor().getFullMethodName(),
            call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR),
            fault));
    call.close(Status.UNAUTHENTICATED.withDescription(fault), new Metadata());
    return new ServerCall.Listener<>() {};
  }
}
