package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.server.FastPaths;
import dev.tributary.session.ClusterOptions;

/** A session on tasks that exchange tensors by TCP past gRPC. */
class NetworkSessionTest extends ClusterSessionContract {
  @Override
  FastPaths fastPaths() {
    return FastPaths.NETWORK;
  }

  @Override
  ClusterOptions clientPath(ClusterOptions options) {
    return options.withoutShortCut();
  }
}
