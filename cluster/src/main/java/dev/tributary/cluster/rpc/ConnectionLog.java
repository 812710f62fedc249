package dev.tributary.cluster.rpc;

import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over what gRPC logs about callers that do not speak TLS, or gRPC. By default each of them
 * prints a stack trace on the console of the program that has a server; here each is a line of our
 * own log. A program that sets a level for gRPC's logs gets them unchanged. Safe for use by many
 * threads; holds the logger, since one that nobody holds loses its settings.
 */
final class ConnectionLog {
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(ConnectionLog.class);

  private final Logger connections;

  /**
   * @param grpcNetty the package of gRPC's transport, which has another name where it is shaded
   */
  ConnectionLog(String grpcNetty) {
    connections = Logger.getLogger(grpcNetty + ".NettyServerTransport.connections");
    if (connections.getFilter() == null) {
      connections.setFilter(this::isForOthers);
    }
  }

  private boolean isForOthers(LogRecord line) {
    if (line.getThrown() == null || isConfigured()) {
      return true;
    }
    String reason = String.valueOf(line.getThrown().getMessage());
    LOG.info("a caller was turned away: {}", reason.lines().findFirst().orElse(reason));
    return false;
  }

  /** Returns whether the program has configured gRPC's logs. */
  private boolean isConfigured() {
    for (Logger logger = connections; logger.getParent() != null; logger = logger.getParent()) {
      if (logger.getLevel() != null) {
        return true;
      }
    }
    return false;
  }
}
