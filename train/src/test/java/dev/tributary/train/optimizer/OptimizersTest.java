package dev.tributary.train.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.Shape;
import dev.tributary.train.testing.ModelRun;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.PartitionedVariable;
import dev.tributary.train.variable.Partitioner;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import dev.tributary.train.variable.Variables;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OptimizersTest {
  private final Ops tf = Ops.create();
  private final VariableScope scope = VariableScope.of(tf);

  /** Each optimizer with a rate that suits the small models here, and the slots it makes. */
  static Stream<Arguments> optimizers() {
    return Stream.of(
        optimizer(() -> new GradientDescentOptimizer(0.1)),
        optimizer(() -> new MomentumOptimizer(0.03, 0.8), "Momentum"),
        optimizer(() -> new MomentumOptimizer(0.03, 0.8).withNesterov(), "Momentum"),
        optimizer(() -> new AdagradOptimizer(0.5), "Adagrad"),
        optimizer(() -> new AdadeltaOptimizer(1, 0.95, 1e-3), "Adadelta", "Adadelta_1"),
        optimizer(() -> new AdamOptimizer(0.1), "Adam", "Adam_1"),
        optimizer(() -> new RmsPropOptimizer(0.03), "RMSProp", "RMSProp_1"),
        optimizer(
            () -> new RmsPropOptimizer(0.03).withCentering(), "RMSProp", "RMSProp_1", "RMSProp_2"),
        optimizer(() -> new FtrlOptimizer(0.5), "Ftrl", "Ftrl_1"));
  }

  private static Arguments optimizer(Supplier<Optimizer> optimizer, String... slots) {
    return Arguments.of(optimizer.get().name(), optimizer, List.of(slots));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("optimizers")
  void minimize_lineThroughPoints_findsIt(
      String name, Supplier<Optimizer> optimizer, List<String> slots) {
    Variable w = scope.getVariable("w", Shape.of(1), Initializers.zeros());
    Variable b = scope.getVariable("b", Shape.of(1), Initializers.zeros());
    Variable step = GlobalStep.create(tf);
    Output x = tf.constant(-1f, 0f, 1f, 2f);
    Output line = tf.add(tf.mul(w.value(), x), b.value());
    Output loss = tf.mean(tf.squaredDifference(line, tf.constant(-1f, 1f, 3f, 5f)), 0);
    Operation train = optimizer.get().minimize(tf, loss, step);

    try (ModelRun run = ModelRun.initialized(tf)) {
      run.repeat(300, train);
      assertThat(run.floats(w.value())).containsExactly(new float[] {2}, Offset.offset(0.05f));
      assertThat(run.floats(b.value())).containsExactly(new float[] {1}, Offset.offset(0.05f));
      assertThat(run.longOf(step.value())).isEqualTo(300);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("optimizers")
  void slots_ofVariable_areNamedAndPlacedAfterIt(
      String name, Supplier<Optimizer> optimizer, List<String> slots) {
    Ops onPs = tf.withDevice("/job:ps/task:1");
    Variable w = scope.withOps(onPs).open("net").getVariable("w", Shape.of(2, 2));
    Ops onWorker = tf.withDevice("/job:worker/task:0");
    Output loss = onWorker.sum(onWorker.square(w.value()), 0, 1);
    Operation train = optimizer.get().minimize(onWorker, loss);

    List<Variable> made =
        Variables.global(tf.graph()).stream().filter(v -> v.name().startsWith("net/w/")).toList();
    assertThat(made)
        .extracting(Variable::name)
        .containsExactlyElementsOf(slots.stream().map(slot -> "net/w/" + slot).toList());
    assertThat(made)
        .allMatch(v -> v.handle().operation().device().equals(w.handle().operation().device()))
        .allMatch(v -> v.shape().equals(w.shape()));
    assertThat(Variables.trainable(tf.graph())).hasSize(1);
    assertThat(train.name()).startsWith(name);
    assertThat(tf.graph().collection("train_op")).containsExactly(train);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("optimizers")
  void sparseGradient_withRepeatedRows_equalsTheDenseOne(
      String name, Supplier<Optimizer> optimizer, List<String> slots) {
    Variable sparse = scope.getVariable("sparse", Shape.of(3, 2), Initializers.constant(1));
    Variable dense = scope.getVariable("dense", Shape.of(3, 2), Initializers.constant(1));
    // All rows occur, since those that do not are treated differently by dense updates.
    Output ids = tf.constant(2, 0, 2, 1);
    Output factors = tf.math.scale(tf.constant(1f, 2f, 3f, 4f), 0.1);
    Output weights = tf.reshape(factors, 4, 1);
    Output sparseLoss =
        sum(
            tf.mul(
                weights, tf.square(tf.state.resourceGather(sparse.handle(), ids, sparse.type()))));
    Output denseLoss = sum(tf.mul(weights, tf.square(tf.gather(dense.value(), ids))));
    Operation trainSparse = optimizer.get().minimize(tf, sparseLoss);
    Operation trainDense = optimizer.get().minimize(tf, denseLoss);

    try (ModelRun run = ModelRun.initialized(tf)) {
      run.repeat(5, trainSparse);
      run.repeat(5, trainDense);
      float[] values = run.floats(sparse.value());
      assertThat(values).containsExactly(run.floats(dense.value()), Offset.offset(1e-5f));
      assertThat(values[0]).isNotEqualTo(1);
    }
  }

  @Test
  void adam_ofTwoVariables_keepsPowersBesideTheFirst() {
    scope.withOps(tf.withDevice("/task:1")).getVariable("b", Shape.of(1), Initializers.ones());
    scope.withOps(tf.withDevice("/task:0")).getVariable("a", Shape.of(1), Initializers.ones());
    List<Variable> both = Variables.trainable(tf.graph());
    Output loss = sum(tf.mul(both.get(0).value(), both.get(1).value()));
    AdamOptimizer adam = new AdamOptimizer(0.1, 0.5, 0.25, 1e-8);
    Operation train = adam.minimize(tf.withDevice("/task:2"), loss);
    Variable power1 = byName("beta1_power");
    Variable power2 = byName("beta2_power");

    assertThat(power1.handle().operation().device().toString()).isEqualTo("/task:0");
    assertThat(adam.slot(both.get(0), "v").orElseThrow().name()).isEqualTo("b/Adam_1");
    assertThat(adam.slot(both.get(0), "none")).isEmpty();
    assertThat(train.name()).isEqualTo("Adam/update");
    assertThat(power2.type()).isEqualTo(both.get(0).type());
  }

  @Test
  void adam_threeSteps_raisesItsPowers() {
    Variable w = scope.getVariable("w", Shape.of(1), Initializers.ones());
    Operation train = new AdamOptimizer(0.1, 0.5, 0.25, 1e-8).minimize(tf, sum(w.value()));

    try (ModelRun run = ModelRun.initialized(tf)) {
      run.repeat(3, train);
      assertThat(run.floatOf(byName("beta1_power").value())).isEqualTo(0.0625f);
      assertThat(run.floatOf(byName("beta2_power").value())).isEqualTo(0.00390625f);
      // The gradient is always 1, and so are both corrected means: each step is the rate.
      assertThat(run.floats(w.value())).containsExactly(new float[] {0.7f}, Offset.offset(1e-5f));
    }
  }

  @Test
  void slots_ofPartitionedVariable_arePartsInTurn() {
    PartitionedVariable w =
        scope.getPartitionedVariable(
            VariableSpec.of("w", Shape.of(3, 2)).withInitializer(Initializers.ones()),
            Partitioner.fixedSize(2, 0));
    new AdamOptimizer(0.1).minimize(tf, sum(w.value(tf)));

    Variable slot = byName("w/part_1/Adam_1");
    assertThat(slot.slice().orElseThrow().fullName()).isEqualTo("w/Adam_1");
    assertThat(slot.slice().orElseThrow().spec()).isEqualTo("3 2 2,1:0,2");
  }

  @Test
  void optimizers_twoOfAKindOnOneVariable_haveSlotsOfTheirOwn() {
    Variable w = scope.getVariable("w", Shape.of(1), Initializers.ones());
    new MomentumOptimizer(0.1, 0.9).minimize(tf, sum(w.value()));
    new MomentumOptimizer(0.1, 0.9).minimize(tf, sum(w.value()));

    assertThat(Variables.global(tf.graph()))
        .extracting(Variable::name)
        .containsExactly("w", "w/Momentum", "w/Momentum_1");
  }

  @Test
  void applyGradients_ofComputedRate_followsIt() {
    Variable w = scope.getVariable("w", Shape.of(1), Initializers.constant(10));
    Variable step = GlobalStep.create(tf);
    Output rate = LearningRates.exponentialDecay(tf, 1, step.value(), 1, 0.5, false);
    Operation train = new GradientDescentOptimizer(rate).minimize(tf, sum(w.value()), step);

    try (ModelRun run = ModelRun.initialized(tf)) {
      run.repeat(3, train);
      assertThat(run.floats(w.value())).containsExactly(10 - 1 - 0.5f - 0.25f);
    }
  }

  @Test
  void applyGradients_withoutAnyGradient_namesTheVariables() {
    Variable w = scope.getVariable("w", Shape.of(1));
    List<GradientAndVariable> none = List.of(new GradientAndVariable(GradientValue.none(), w));

    assertThatThrownBy(() -> new AdamOptimizer(0.1).applyGradients(tf, none))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("Adam")
        .hasMessageContaining("[w]");
  }

  private Variable byName(String name) {
    return Variables.global(tf.graph()).stream()
        .filter(v -> v.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private Output sum(Output x) {
    return x.shape().rank() == 1 ? tf.sum(x, 0) : tf.sum(x, 0, 1);
  }
}
