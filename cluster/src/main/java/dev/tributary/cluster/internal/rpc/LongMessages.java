package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.RareLog;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the calls whose messages are longer than a server reads. gRPC ends them before any handler
 * of ours. Safe for use by many threads.
 */
final class LongMessages extends ServerStreamTracer.Factory {
  private static final Logger LOG = LoggerFactory.getLogger(LongMessages.class);

  private final RareLog refusals = new RareLog(LOG::warn);

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new ServerStreamTracer() {
      @Override
      public void streamClosed(Status status) {
        if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED
            && String.valueOf(status.getDescription()).contains(Statuses.TOO_LONG)) {
          refusals.write(
              String.format(
                  "refused %s: %s (--max-message-bytes)", method, status.getDescription()));
        }
      }
    };
  }
}
