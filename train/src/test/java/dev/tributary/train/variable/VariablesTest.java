package dev.tributary.train.variable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.testing.ModelRun;
import org.junit.jupiter.api.Test;

class VariablesTest {
  private final Ops tf = Ops.create();
  private final VariableScope root = VariableScope.of(tf);

  @Test
  void reportUninitialized_stepByStep_namesWhatIsLeft() {
    Variable a = root.getVariable("a", Shape.of(2));
    Variable b = root.open("x").getVariable("b", Shape.of(2));
    Variable c = root.getLocalVariable("c", Shape.scalar(), Initializers.zeros());
    Output missing = Variables.reportUninitialized(tf);

    try (ModelRun run = ModelRun.of(tf)) {
      assertThat(run.strings(missing)).containsExactly("a", "x/b", "c");
      run.run(b.initializer());
      assertThat(run.strings(missing)).containsExactly("a", "c");
      run.run(a.initializer());
      run.run(c.initializer());
      assertThat(run.strings(missing)).isEmpty();
    }
  }

  @Test
  void reportUninitialized_ofNoVariables_isEmpty() {
    Output missing = Variables.reportUninitialized(tf);

    try (ModelRun run = ModelRun.of(tf)) {
      assertThat(run.strings(missing)).isEmpty();
    }
  }

  @Test
  void globalStep_madeOnce_isTheVariableThatToolsLookFor() {
    Variable step = GlobalStep.getOrCreate(tf.withSubScope("anywhere"));

    assertThat(step.name()).isEqualTo("global_step");
    assertThat(step.type()).isEqualTo(DataType.INT64);
    assertThat(step.shape()).isEqualTo(Shape.scalar());
    assertThat(GlobalStep.getOrCreate(tf).handle()).isEqualTo(step.handle());
    assertThat(Variables.trainable(tf.graph())).isEmpty();
    assertThatThrownBy(() -> GlobalStep.create(tf))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("already");
  }
}
