package dev.tributary.cluster.internal.worker;

import dev.tributary.graph.Rewrite;
import java.util.EnumSet;
import java.util.Set;
import org.tensorflow.proto.GraphOptions;
import org.tensorflow.proto.OptimizerOptions;
import org.tensorflow.proto.RewriterConfig;
import org.tensorflow.proto.RewriterConfig.Toggle;

/**
 * The rewrites that TensorFlow's settings of a session ask for: all, less those it turns off; if it
 * turns the optimizer off, those alone that it turns on by name, as our own client does.
 */
final class RewriteChoice {
  private RewriteChoice() {}

  static Set<Rewrite> of(GraphOptions options) {
    RewriterConfig config = options.getRewriteOptions();
    boolean isOff =
        config.getDisableMetaOptimizer()
            || options.getOptimizerOptions().getOptLevel() == OptimizerOptions.Level.L0;
    Set<Rewrite> wanted = EnumSet.allOf(Rewrite.class);
    wanted.removeIf(rewrite -> !isWanted(toggle(rewrite, config), isOff));
    return wanted;
  }

  private static boolean isWanted(Toggle toggle, boolean isOff) {
    return isOff ? toggle == Toggle.ON : toggle != Toggle.OFF;
  }

  private static Toggle toggle(Rewrite rewrite, RewriterConfig config) {
    return switch (rewrite) {
      case CONSTANT_FOLDING -> config.getConstantFolding();
      case COMMON_SUBEXPRESSIONS -> config.getCommonSubgraphElimination();
      case SIMPLIFICATION -> config.getArithmeticOptimization();
      case FUSION -> config.getRemapping();
      // TensorFlow has no such rewrite; it moves the same nodes about for its layouts.
      case POOLED_GRADIENTS -> config.getLayoutOptimizer();
    };
  }
}
