package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.server.FastPaths;
import dev.tributary.session.ClusterOptions;

/** A session on tasks that exchange tensors through shared memory. */
class StreamSessionTest extends ClusterSessionContract {
  @Override
  FastPaths fastPaths() {
    return FastPaths.ALL;
  }

  @Override
  ClusterOptions clientPath(ClusterOptions options) {
    return options.withoutShortCut();
  }
}
