package dev.tributary.cluster.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Rewrite;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.GraphOptions;
import org.tensorflow.proto.OptimizerOptions;
import org.tensorflow.proto.RewriterConfig;

class RewriteChoiceTest {
  @Test
  void of_nothingSaid_wantsAll() {
    assertThat(RewriteChoice.of(GraphOptions.getDefaultInstance())).contains(Rewrite.values());
  }

  @Test
  void of_toggleOff_leavesOnlyThatOneOut() {
    assertThat(with(RewriterConfig.newBuilder().setRemapping(RewriterConfig.Toggle.OFF)))
        .contains(Rewrite.CONSTANT_FOLDING, Rewrite.SIMPLIFICATION)
        .doesNotContain(Rewrite.FUSION);
  }

  @Test
  void of_noOptimizer_wantsNone() {
    assertThat(with(RewriterConfig.newBuilder().setDisableMetaOptimizer(true))).isEmpty();
    assertThat(
            RewriteChoice.of(
                GraphOptions.newBuilder()
                    .setOptimizerOptions(
                        OptimizerOptions.newBuilder().setOptLevel(OptimizerOptions.Level.L0))
                    .build()))
        .isEmpty();
  }

  /** So our own client says it, whose master may be a stock one. */
  @Test
  void of_noOptimizerButOneTurnedOn_wantsThatOne() {
    assertThat(
            with(
                RewriterConfig.newBuilder()
                    .setDisableMetaOptimizer(true)
                    .setRemapping(RewriterConfig.Toggle.ON)))
        .containsExactly(Rewrite.FUSION);
  }

  private static Set<Rewrite> with(RewriterConfig.Builder config) {
    return RewriteChoice.of(GraphOptions.newBuilder().setRewriteOptions(config).build());
  }
}
