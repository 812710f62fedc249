package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.RareLog;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over what gRPC logs about callers that speak neither TLS nor gRPC, or speak it wrongly. By
 * default each of their mistakes prints a stack trace on the console of the program that has a
 * server, as often as they like; here they are lines of our own log, one in a while. A program that
 * sets a level for gRPC's logs gets them unchanged. Safe for use by many threads; holds the
 * loggers, since one that nobody holds loses its settings.
 */
final class ConnectionLog {
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(ConnectionLog.class);

  private final List<Logger> loggers;

  /**
   * @param grpcNetty the package of gRPC's transport, which has another name where it is shaded
   */
  ConnectionLog(String grpcNetty) {
    loggers =
        List.of(
            Logger.getLogger(grpcNetty + ".NettyServerTransport.connections"),
            Logger.getLogger(grpcNetty + ".NettyServerHandler"),
            Logger.getLogger(grpcNetty + ".NettyServerStream"),
            Logger.getLogger("io.grpc.internal.ServerCallImpl"));
    for (Logger logger : loggers) {
      if (logger.getFilter() == null) {
        RareLog lines = new RareLog(LOG::info);
        logger.setFilter(line -> isForOthers(logger, line, lines));
      }
    }
  }

  private static boolean isForOthers(Logger logger, LogRecord line, RareLog lines) {
    if (line.getLevel().intValue() < Level.INFO.intValue() || isConfigured(logger)) {
      return true;
    }
    String reason =
        line.getThrown() == null
            ? String.valueOf(line.getMessage())
            : String.valueOf(line.getThrown().getMessage());
    lines.write("a caller was turned away: " + reason.lines().findFirst().orElse(reason));
    return false;
  }

  /** Returns whether the program has configured gRPC's logs. */
  private static boolean isConfigured(Logger connections) {
    for (Logger logger = connections; logger.getParent() != null; logger = logger.getParent()) {
      if (logger.getLevel() != null) {
        return true;
      }
    }
    return false;
  }
}
