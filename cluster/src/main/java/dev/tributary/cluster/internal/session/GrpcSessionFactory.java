package dev.tributary.cluster.internal.session;

import dev.tributary.graph.Graph;
import dev.tributary.session.Session;
import dev.tributary.session.SessionFactory;
import dev.tributary.session.SessionOptions;
import java.time.Duration;
import java.util.List;

/** Opens sessions at {@code grpc://} targets. Found by core with a service loader. */
public final class GrpcSessionFactory implements SessionFactory {
  private static final Duration RESET_LIMIT = Duration.ofMinutes(1);

  @Override
  public String scheme() {
    return MasterConnection.SCHEME;
  }

  @Override
  public Session open(String target, Graph graph, SessionOptions options) {
    return RemoteSession.open(MasterConnection.open(target, options.cluster()), graph, options);
  }

  @Override
  public void reset(String target, List<String> containers, SessionOptions options) {
    try (MasterConnection connection = MasterConnection.open(target, options.cluster())) {
      connection.reset(containers, RESET_LIMIT);
    }
  }
}
