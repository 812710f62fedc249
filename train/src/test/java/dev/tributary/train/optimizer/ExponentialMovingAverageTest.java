package dev.tributary.train.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.Shape;
import dev.tributary.train.testing.ModelRun;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ExponentialMovingAverageTest {
  private static final Offset<Float> NEAR = Offset.offset(1e-5f);

  private final Ops tf = Ops.create();
  private final VariableScope scope = VariableScope.of(tf);

  @Test
  void apply_afterEachStep_followsTheNewValues() {
    Variable w = scope.open("net").getVariable("w", Shape.of(2), Initializers.constant(10));
    ExponentialMovingAverage ema = new ExponentialMovingAverage(0.9);
    Operation step = w.assign(tf.constant(20f, 0f));
    Operation train = ema.apply(tf.withControlDependencies(step), List.of(w));
    Variable average = ema.average(w).orElseThrow();

    assertThat(average.name()).isEqualTo("net/w/ExponentialMovingAverage");
    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(average.value())).containsExactly(10, 10);
      run.run(train);
      assertThat(run.floats(average.value())).containsExactly(new float[] {11, 9}, NEAR);
      run.run(train);
      assertThat(run.floats(average.value())).containsExactly(new float[] {11.9f, 8.1f}, NEAR);
    }
  }

  @Test
  void initialValue_ofRandomVariable_isTheVariablesOwn() {
    Variable w = scope.getVariable("w", Shape.of(5, 5));
    ExponentialMovingAverage ema = new ExponentialMovingAverage(0.9);
    ema.apply(tf, List.of(w));

    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(ema.average(w).orElseThrow().value()))
          .containsExactly(run.floats(w.value()));
    }
  }

  @Test
  void apply_withNumberOfUpdates_movesFasterAtFirst() {
    Variable step = GlobalStep.create(tf);
    Variable w = scope.getVariable("w", Shape.of(1), Initializers.constant(0));
    ExponentialMovingAverage ema = new ExponentialMovingAverage(0.99, step.value());
    Operation set = w.assign(tf.constant(new float[] {10}));
    Operation train = ema.apply(tf.withControlDependencies(set), List.of(w));

    try (ModelRun run = ModelRun.initialized(tf)) {
      run.run(train);
      // (1 + 0) / (10 + 0) of the old value stays.
      assertThat(run.floats(ema.average(w).orElseThrow().value()))
          .containsExactly(new float[] {9}, NEAR);
    }
  }

  @Test
  void average_ofVariableOnPs_isThereAndNotTrained() {
    Variable w = scope.withOps(tf.withDevice("/job:ps/task:1")).getVariable("w", Shape.of(1));
    ExponentialMovingAverage ema = new ExponentialMovingAverage(0.9);
    ema.apply(tf.withDevice("/job:worker/task:0"), List.of(w));

    assertThat(ema.average(w).orElseThrow().handle().operation().device().toString())
        .isEqualTo("/job:ps/task:1");
    assertThat(Variables.trainable(tf.graph())).hasSize(1);
    assertThat(Variables.movingAverage(tf.graph())).extracting(Variable::name).containsExactly("w");
  }

  @Test
  void variablesToRestore_ofModel_takesAveragesAndTheRestAsItIs() {
    Variable w = scope.getVariable("w", Shape.of(1));
    Variable step = GlobalStep.create(tf);
    ExponentialMovingAverage ema = new ExponentialMovingAverage(0.9);

    // Where a model is only used, nothing moves the averages, and their names are still known.
    Map<String, Variable> toUse = ema.variablesToRestore(tf.graph());
    ema.apply(tf, List.of(w));
    Map<String, Variable> toTrain = ema.variablesToRestore(tf.graph());

    assertThat(toUse).containsOnlyKeys("w/ExponentialMovingAverage", "global_step");
    assertThat(toUse.get("w/ExponentialMovingAverage").name()).isEqualTo("w");
    assertThat(toUse.get("global_step").handle()).isEqualTo(step.handle());
    assertThat(toTrain).containsOnlyKeys("w/ExponentialMovingAverage", "global_step");
  }

  @Test
  void apply_toIntegers_isRefused() {
    Variable step = GlobalStep.create(tf);

    assertThatThrownBy(() -> new ExponentialMovingAverage(0.9).apply(tf, List.of(step)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'global_step'");
  }
}
