package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.server.FastPaths;
import dev.tributary.session.ClusterOptions;

/** A session that calls the master of its own process directly. */
class InProcessSessionTest extends ClusterSessionContract {
  @Override
  FastPaths fastPaths() {
    return FastPaths.PUSHED;
  }

  @Override
  ClusterOptions clientPath(ClusterOptions options) {
    return options;
  }
}
