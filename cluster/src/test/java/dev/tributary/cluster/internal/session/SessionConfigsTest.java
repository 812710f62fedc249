package dev.tributary.cluster.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Rewrite;
import dev.tributary.session.SessionOptions;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.RewriterConfig;
import org.tensorflow.proto.RewriterConfig.Toggle;

class SessionConfigsTest {
  @Test
  void toProto_rewrites_areOnByNameThoughTheMasterMakesNone() {
    RewriterConfig config = rewrites(SessionOptions.defaults());

    assertThat(config.getDisableMetaOptimizer()).isTrue();
    assertThat(config.getConstantFolding()).isEqualTo(Toggle.ON);
    assertThat(config.getCommonSubgraphElimination()).isEqualTo(Toggle.ON);
    assertThat(config.getArithmeticOptimization()).isEqualTo(Toggle.ON);
    assertThat(config.getRemapping()).isEqualTo(Toggle.ON);
    assertThat(config.getLayoutOptimizer()).isEqualTo(Toggle.ON);
  }

  @Test
  void toProto_rewriteNotWanted_isOff() {
    SessionOptions options = SessionOptions.defaults().without(Rewrite.FUSION);

    assertThat(rewrites(options).getRemapping()).isEqualTo(Toggle.OFF);
    assertThat(rewrites(options).getConstantFolding()).isEqualTo(Toggle.ON);
  }

  private static RewriterConfig rewrites(SessionOptions options) {
    return SessionConfigs.toProto(options).getGraphOptions().getRewriteOptions();
  }
}
