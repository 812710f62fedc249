package dev.tributary.train.distribute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.variable.Variables;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every synchronous strategy promises: the same program trains the same model. */
class StrategyContractTest {
  private static final int STEPS = 50;

  private static List<Float> expected;

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
        CentralStorageStrategy.of(1),
        CentralStorageStrategy.of(3));
  }

  @BeforeAll
  static void trainOnOneDevice() {
    expected = SmallNet.under(OneDeviceStrategy.of("/device:CPU:0")).losses(STEPS);
    assertThat(expected.get(STEPS - 1)).isLessThan(expected.get(0) / 2);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void losses_sameProgram_areThoseOfOneLargeBatch(Strategy strategy) {
    List<Float> losses = SmallNet.under(strategy).losses(STEPS);

    for (int i = 0; i < STEPS; i++) {
      assertThat(losses.get(i)).as("step %d", i).isEqualTo(expected.get(i), Offset.offset(1e-5f));
    }
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
          assertThat(session.fetch(copy.value()).toString())
              .isEqualTo(session.fetch(copies.get(0).value()).toString());
        }
      }
    }
  }
}
