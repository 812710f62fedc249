package dev.tributary.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.Tensor;
import org.junit.jupiter.api.Test;

class FunctionStepsTest {
  @Test
  void calls_inALoop_computeTheChain() {
    try (PreparedGraph calls = FunctionSteps.calls(3, SessionOptions.defaults());
        Tensor half = Tensor.scalar(0.5f)) {
      assertThat(calls.run(half)).isEqualTo(OpChain.value(0.5f, 0.5f, 6));
    }
  }

  @Test
  void loop_ofFunctions_computesTheChain() {
    try (PreparedGraph loop = FunctionSteps.loop(3, SessionOptions.defaults());
        Tensor half = Tensor.scalar(0.5f)) {
      assertThat(loop.run(half)).isEqualTo(OpChain.value(0.5f, 0.5f, 12));
    }
  }
}
