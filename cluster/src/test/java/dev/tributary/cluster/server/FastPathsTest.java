package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.GraphVariable;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.testing.NoLeaks;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers on one machine move tensors past gRPC, unless they are told not to. */
@NoLeaks
@Timeout(60)
class FastPathsTest {
  private static final int STEPS = 50;

  private final Ops tf = Ops.create();

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  @ParameterizedTest
  @EnumSource
  void training_variableOnPs_countsEveryStep(FastPaths paths) {
    Ops onPs = tf.withDevice("/job:ps/task:0");
    GraphVariable weights =
        onPs.variable("weights", onPs.array.fill(onPs.constant(1000), onPs.constant(1f)));
    Output update = tf.withDevice("/job:worker/task:0").math.mul(weights.value(), tf.constant(2f));
    Operation train = weights.assign(onPs.math.sub(update, weights.value()));
    Operation step = weights.assignAdd(onPs.math.mul(update, onPs.constant(0.5f)));
    Operation init = tf.state.globalVariablesInitializer();

    try (ServersForTest servers =
            ServersForTest.start(
                Map.of("ps", 1, "worker", 1), options -> options.withFastPaths(paths));
        Session session = Session.open(servers.target("worker", 0), tf.graph())) {
      session.run(init);
      session.run(step); // Doubles them.
      for (int i = 0; i < STEPS; i++) {
        session.run(train); // Leaves them as they are.
      }
      try (StepResult result = session.runner().fetch(update).run()) {
        assertThat(result.get(0).toFloats()).hasSize(1000).containsOnly(4f);
      }
      assertThat(readsFromAStream()).isEqualTo(paths == FastPaths.ALL);
    }
  }

  private static boolean readsFromAStream() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("tributary-stream-values"));
  }
}
