package dev.tributary.cluster.worker;

import dev.tributary.rewrite.Rewrite;
import java.util.EnumSet;
import java.util.Set;
import org.tensorflow.proto.GraphOptions;
import org.tensorflow.proto.OptimizerOptions;
import org.tensorflow.proto.RewriterConfig;
import org.tensorflow.proto.RewriterConfig.Toggle;

/** Which rewrites TensorFlow's settings of a session ask for: all, less those it turns off. */
final class RewriteChoice {
  private RewriteChoice() {}

  static Set<Rewrite> of(GraphOptions options) {
    RewriterConfig config = options.getRewriteOptions();
    if (config.getDisableMetaOptimizer()
        || options.getOptimizerOptions().getOptLevel() == OptimizerOptions.Level.L0) {
      return EnumSet.noneOf(Rewrite.class);
    }
    Set<Rewrite> wanted = EnumSet.allOf(Rewrite.class);
    dropIfOff(wanted, Rewrite.CONSTANT_FOLDING, config.getConstantFolding());
    dropIfOff(wanted, Rewrite.COMMON_SUBEXPRESSIONS, config.getCommonSubgraphElimination());
    dropIfOff(wanted, Rewrite.SIMPLIFICATION, config.getArithmeticOptimization());
    dropIfOff(wanted, Rewrite.FUSION, config.getRemapping());
    return wanted;
  }

  private static void dropIfOff(Set<Rewrite> wanted, Rewrite rewrite, Toggle toggle) {
    if (toggle == Toggle.OFF) {
      wanted.remove(rewrite);
    }
  }
}
