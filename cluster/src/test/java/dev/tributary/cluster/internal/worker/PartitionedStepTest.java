package dev.tributary.cluster.internal.worker;

import static dev.tributary.cluster.internal.worker.TestCluster.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.partition.NodeNames;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps whose graphs span tasks and devices. */
@NoLeaks
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PartitionedStepTest {
  private final NodeNames names = NodeNames.ofMaster();
  private TestCluster cluster;
  private Ops tf;

  @BeforeEach
  void start() {
    cluster = new TestCluster(3, 2, Connector.inProcess());
    cluster.createSession("s");
    tf = Ops.create();
  }

  @AfterEach
  void stop() {
    cluster.close();
    tf.graph().close();
  }

  @Test
  void variable_onAnotherTask_isReadAndChangedFromThere() {
    Variable v = tf.withDevice(cpu(1).device()).variable("v", tf.constant(1f));
    Operation add =
        tf.withDevice(cpu(1).device())
            .state
            .assignAddVariableOp(v.handle(), tf.withDevice(cpu(2).device()).constant(2f));
    Output doubled = tf.withDevice(cpu(2, 1).device()).add(v.read(), v.read());

    step(List.of(), List.of(v.initializer())).run(1);
    step(List.of(), List.of(add)).run(2);
    PartitionedStep read = step(List.of(doubled), List.of());

    assertThat(read.partCount()).isEqualTo(3);
    assertThat(read.run(3)).containsExactly(6f);
    step(List.of(), List.of(add)).run(4);
    assertThat(read.run(5)).containsExactly(10f);
  }

  @Test
  void values_betweenDevicesOfOneTask_stayThere() {
    Variable v = tf.withDevice(cpu(0, 1).device()).variable("v", tf.constant(3f));
    Output sum = tf.withDevice(cpu(0, 0).device()).add(v.read(), tf.constant(4f));
    step(List.of(), List.of(v.initializer())).run(1);
    PartitionedStep read = step(List.of(sum), List.of());

    assertThat(read.partCount()).isEqualTo(1);
    assertThat(read.run(2)).containsExactly(7f);
  }

  @Test
  void loop_overThreeTasks_countsToItsEnd() {
    Output limit = tf.constant(10f);
    List<Output> exits =
        tf.flow.whileLoop(
            List.of(tf.constant(0f), tf.constant(1f)),
            (scope, vars) -> scope.withDevice(cpu(0).device()).less(vars.get(0), limit),
            (scope, vars) ->
                List.of(
                    scope.withDevice(cpu(1).device()).add(vars.get(0), scope.constant(1f)),
                    scope.withDevice(cpu(2, 1).device()).add(vars.get(1), vars.get(1))));
    PartitionedStep step = step(exits, List.of());

    assertThat(step.partCount()).isEqualTo(3);
    for (int i = 1; i <= 20; i++) {
      assertThat(step.run(i)).containsExactly(10f, 1024f);
    }
    for (int task = 0; task < 3; task++) {
      assertThat(cluster.worker(task).stepCount()).isZero();
    }
  }

  private PartitionedStep step(List<Output> fetches, List<Operation> targets) {
    return new PartitionedStep(cluster, "s", tf.graph(), names, fetches, targets);
  }
}
