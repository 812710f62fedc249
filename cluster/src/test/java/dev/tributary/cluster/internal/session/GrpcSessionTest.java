package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.server.FastPaths;
import dev.tributary.session.ClusterOptions;

/** A session whose requests and tensors all take TensorFlow's calls. */
class GrpcSessionTest extends ClusterSessionContract {
  @Override
  FastPaths fastPaths() {
    return FastPaths.NONE;
  }

  @Override
  ClusterOptions clientPath(ClusterOptions options) {
    return options.withoutShortCut();
  }
}
