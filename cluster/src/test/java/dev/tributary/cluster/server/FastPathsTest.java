package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
    Variable weights = onPs.variable("weights", onPs.fill(onPs.constant(1000), onPs.constant(1f)));
    Output update = tf.withDevice("/job:worker/task:0").mul(weights.value(), tf.constant(2f));
    Operation train = weights.assign(onPs.sub(update, weights.value()));
    Operation step = weights.assignAdd(onPs.mul(update, onPs.constant(0.5f)));
    Operation init = tf.globalVariablesInitializer();

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
      if (paths == FastPaths.ALL || paths == FastPaths.NETWORK) {
        while (!readsFromAStream()) { // Connecting over the network holds up no step.
          session.run(train);
        }
      }
      assertThat(readsFromAStream()).isEqualTo(paths.streams().any());
    }
  }

  @ParameterizedTest
  @EnumSource
  void updates_largeAndOfTwoWorkersAtOnce_allArriveWhole(FastPaths paths) throws Exception {
    int length = 1 << 16;
    Ops onPs = tf.withDevice("/job:ps/task:0");
    Variable sum = onPs.variable("sum", onPs.fill(onPs.constant(length), onPs.constant(0f)));
    Output number = tf.placeholder(DataType.FLOAT, Shape.scalar());
    List<Operation> steps = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Ops worker = tf.withDevice("/job:worker/task:" + i);
      Output update = worker.fill(worker.constant(length), worker.neg(number));
      steps.add(sum.assignAdd(update));
    }
    Operation init = tf.globalVariablesInitializer();

    try (ServersForTest servers =
            ServersForTest.start(
                Map.of("ps", 1, "worker", 2), options -> options.withFastPaths(paths));
        Session first = Session.open(servers.target("worker", 0), tf.graph());
        Session second = Session.open(servers.target("worker", 1), tf.graph())) {
      first.run(init);
      CompletableFuture<Void> other =
          CompletableFuture.runAsync(() -> addNumbers(second, number, steps.get(1)));
      addNumbers(first, number, steps.get(0));
      other.get(30, TimeUnit.SECONDS);

      try (StepResult result = first.runner().fetch(sum.value()).run()) {
        assertThat(result.get(0).toFloats()).hasSize(length).containsOnly(-STEPS * (STEPS - 1f));
      }
    }
  }

  private static void addNumbers(Session session, Output number, Operation step) {
    for (int i = 0; i < STEPS; i++) {
      try (Tensor value = Tensor.scalar((float) i)) {
        session.runner().feed(number, value).target(step).run().close();
      }
    }
  }

  private static boolean readsFromAStream() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("tributary-stream-values"));
  }
}
