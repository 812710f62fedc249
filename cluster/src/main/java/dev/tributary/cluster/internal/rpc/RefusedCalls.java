package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.RareLog;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends calls of callers that may not make them, before any message is read, with a line in the log
 * now and then.
 */
final class RefusedCalls {
  private static final Logger LOG = LoggerFactory.getLogger(RefusedCalls.class);
  private static final RareLog REFUSALS = new RareLog(LOG::warn);

  private RefusedCalls() {}

  /** Returns what an interceptor returns for such a call. */
  static <Q> ServerCall.Listener<Q> refuse(ServerCall<Q, ?> call, Status why) {
    REFUSALS.write(
        String.format(
            "refused %s from %s: %s",
            call.getMethodDescriptor().getFullMethodName(),
            call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR),
            why.getDescription()));
    call.close(why, new Metadata());
    return new ServerCall.Listener<>() {};
  }
}
