package dev.tributary.train.distribute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.model.BatchNormalization;
import dev.tributary.train.model.Dense;
import dev.tributary.train.optimizer.GradientAggregation;
import dev.tributary.train.optimizer.GradientAndVariable;
import dev.tributary.train.optimizer.GradientClipping;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The promise of every synchronous strategy: the same program trains the same model. */
class StrategyContractTest {
  private static final int STEPS = 50;

  private static List<Float> expected;
  private static List<Float> normalizedLosses;
  private static List<Float> clippedLosses;

  static Stream<Strategy> strategies() {
    return Stream.of(
        OneDeviceStrategy.of("/device:CPU:0"),
        MirroredStrategy.of(1),
        MirroredStrategy.of(2),
        MirroredStrategy.of(3),
        MirroredStrategy.of(4),
        MirroredStrategy.of(List.of("/device:CPU:2", "/device:CPU:1")),
        MirroredStrategy.of(4).withCrossDeviceOps(new HierarchicalCopyAllReduce()),
        MirroredStrategy.of(3).withCrossDeviceOps(new HierarchicalCopyAllReduce(3)),
        MirroredStrategy.of(3).withCrossDeviceOps(new HierarchicalCopyAllReduce(0)),
        MirroredStrategy.of(2)
            .withCrossDeviceOps(new ReductionToOneDevice().withReduceTo("/device:CPU:1")),
        MirroredStrategy.of(3).withCrossDeviceOps(new RingAllReduce()),
        CentralStorageStrategy.of(1),
        CentralStorageStrategy.of(3));
  }

  @BeforeAll
  static void trainOnOneDevice() {
    Strategy one = OneDeviceStrategy.of("/device:CPU:0");
    expected = SmallNet.under(one).losses(STEPS);
    normalizedLosses = SmallNet.under(one).withLayers(StrategyContractTest::normalized).losses(10);
    clippedLosses =
        SmallNet.under(one)
            .withOptimizer(() -> new GradientDescentOptimizer(0.5))
            .withUpdate(StrategyContractTest::clipped)
            .losses(10);
    assertThat(expected.get(STEPS - 1)).isLessThan(expected.get(0) / 2);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void losses_sameProgram_areThoseOfOneLargeBatch(Strategy strategy) {
    List<Float> losses = SmallNet.under(strategy).losses(STEPS);

    assertAlike(losses, expected);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void variables_afterSteps_areEqualInAllCopiesAndCounted(Strategy strategy) {
    SmallNet net = SmallNet.under(strategy).build();
    try (Session session = net.start()) {
      net.train(session, 5);

      assertThat(session.fetch(net.step).longValue()).isEqualTo(5);
      for (Variable variable : Variables.global(net.tf.graph())) {
        List<Variable> copies = variable.copies().orElseThrow().all();
        for (Variable copy : copies) {
          assertThat(session.fetch(copy.value()).toBytes())
              .isEqualTo(session.fetch(copies.get(0).value()).toBytes());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void losses_synchronizedBatchNormalization_areThoseOfOneLargeBatch(Strategy strategy) {
    List<Float> losses =
        SmallNet.under(strategy).withLayers(StrategyContractTest::normalized).losses(10);

    assertAlike(losses, normalizedLosses);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void losses_clippedByGlobalNorm_areThoseOfOneLargeBatch(Strategy strategy) {
    List<Float> losses =
        SmallNet.under(strategy)
            .withOptimizer(() -> new GradientDescentOptimizer(0.5))
            .withUpdate(StrategyContractTest::clipped)
            .losses(10);

    assertAlike(losses, clippedLosses);
  }

  private static Output normalized(VariableScope scope, Output inputs) {
    Output hidden = Dense.of(7).apply(scope.open("hidden"), inputs);
    Output even =
        BatchNormalization.of(true).withSynchronization().apply(scope.open("norm"), hidden);
    return Dense.of(3).apply(scope.open("logits"), scope.tf().tanh(even));
  }

  private static Operation clipped(Optimizer optimizer, Ops tf, Output loss, Variable step) {
    List<GradientAndVariable> sums =
        GradientAggregation.sum(tf, optimizer.computeGradients(tf, loss));
    List<GradientAndVariable> clipped = GradientClipping.byGlobalNorm(tf, sums, 0.05);
    return optimizer.applyAggregatedGradients(tf, clipped, Optional.of(step));
  }

  private static void assertAlike(List<Float> losses, List<Float> wanted) {
    for (int i = 0; i < wanted.size(); i++) {
      assertThat(losses.get(i)).as("step %d", i).isEqualTo(wanted.get(i), Offset.offset(1e-5f));
    }
  }
}
