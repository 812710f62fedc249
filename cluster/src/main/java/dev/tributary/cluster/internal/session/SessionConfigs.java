package dev.tributary.cluster.internal.session;

import dev.tributary.graph.Rewrite;
import dev.tributary.session.SessionOptions;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.GraphOptions;
import org.tensorflow.proto.RewriterConfig;
import org.tensorflow.proto.RewriterConfig.Toggle;

/** Settings of a session as a master reads them. Threads and backends are matters of servers. */
final class SessionConfigs {
  private SessionConfigs() {}

  static ConfigProto toProto(SessionOptions options) {
    return ConfigProto.newBuilder()
        .setAllowSoftPlacement(options.softPlacement())
        .addAllDeviceFilters(options.cluster().deviceFilters())
        .setIsolateSessionState(options.cluster().isolateState())
        .setOperationTimeoutInMs(options.cluster().stepTimeout().toMillis())
        .setGraphOptions(GraphOptions.newBuilder().setRewriteOptions(rewrites(options)))
        .build();
  }

  /**
   * A stock master that rewrites graphs writes ops into them which only stock workers have, so it
   * is configured not to; a worker of ours makes those that are turned on by name.
   */
  private static RewriterConfig rewrites(SessionOptions options) {
    return RewriterConfig.newBuilder()
        .setDisableMetaOptimizer(true)
        .setConstantFolding(toggle(options, Rewrite.CONSTANT_FOLDING))
        .setCommonSubgraphElimination(toggle(options, Rewrite.COMMON_SUBEXPRESSIONS))
        .setArithmeticOptimization(toggle(options, Rewrite.SIMPLIFICATION))
        .setRemapping(toggle(options, Rewrite.FUSION))
        .setLayoutOptimizer(toggle(options, Rewrite.POOLED_GRADIENTS))
        .build();
  }

  private static Toggle toggle(SessionOptions options, Rewrite rewrite) {
    return options.rewrites().contains(rewrite) ? Toggle.ON : Toggle.OFF;
  }
}
