package dev.tributary.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpChainTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 39, 40})
  void chain_ofHalves_givesTheClosedForm(int length) {
    // Two ops take y to y/2 + 1/2, so that 1 - y halves: after 2p of them it is 1/2^(p+1). One more
    // multiplication halves y. All of it is exact in float.
    float even = (float) (1 - Math.pow(0.5, length / 2 + 1));
    float wanted = length % 2 == 0 ? even : even / 2;
    assertThat(valueOf(length)).isEqualTo(wanted);
  }

  @Test
  void chain_ofManyHalves_reachesOne() {
    assertThat(valueOf(1000)).isEqualTo(1f);
  }

  private static float valueOf(int length) {
    try (PreparedGraph chain = OpChain.prepare(length, SessionOptions.defaults());
        Tensor half = Tensor.scalar(0.5f)) {
      return chain.run(half);
    }
  }
}
