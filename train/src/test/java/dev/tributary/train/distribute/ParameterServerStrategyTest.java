package dev.tributary.train.distribute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.testing.TrainingCluster;
import dev.tributary.train.variable.Variables;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The between-graph form: workers with a graph each, and variables on parameter servers. */
@Timeout(120)
class ParameterServerStrategyTest {
  private static Strategy worker(int task) {
    return ParameterServerStrategy.of(
            ReplicaDeviceSetter.of(2).withWorkerDevice("/job:worker/task:" + task))
        .withWorker(task, 2);
  }

  @Test
  void variables_ofTheModel_areOnParameterServersWithTheirSlots() {
    SmallNet net = SmallNet.under(worker(0)).build();

    List<String> jobs =
        Variables.global(net.tf.graph()).stream()
            .map(variable -> variable.handle().operation().device().job().orElse(""))
            .distinct()
            .toList();
    assertThat(jobs).containsExactly("ps");
    assertThat(net.loss.operation().device().toString()).doesNotContain("/job:ps");
    for (Variable variable : Variables.trainable(net.tf.graph())) {
      assertThat(slot(net, variable).handle().operation().device())
          .isEqualTo(variable.handle().operation().device());
    }
  }

  private static Variable slot(SmallNet net, Variable variable) {
    return Variables.global(net.tf.graph()).stream()
        .filter(other -> other.name().equals(variable.name() + "/Adam"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void losses_ofOneWorker_areThoseOfOneDevice() {
    List<Float> wanted = SmallNet.under(OneDeviceStrategy.of("/device:CPU:0")).losses(10);
    try (TrainingCluster cluster = TrainingCluster.start(2, 1)) {
      SmallNet net = SmallNet.under(worker(0)).build();
      try (Session session = net.start(graph -> cluster.session(0, graph), true)) {
        List<Float> losses = net.train(session, 10);
        for (int i = 0; i < 10; i++) {
          assertThat(losses.get(i)).isEqualTo(wanted.get(i), Offset.offset(1e-5f));
        }
      }
    }
  }

  @Test
  void workers_withGraphsOfTheirOwn_shareVariablesAndCountSteps() {
    try (TrainingCluster cluster = TrainingCluster.start(2, 2)) {
      SmallNet first = SmallNet.under(worker(0)).build();
      SmallNet second = SmallNet.under(worker(1)).build();
      try (Session chief = first.start(graph -> cluster.session(0, graph), true);
          Session other = second.start(graph -> cluster.session(1, graph), false)) {
        float begin = first.train(chief, 1).get(0);
        first.train(chief, 14);
        List<Float> losses = second.train(other, 15);

        assertThat(chief.fetch(first.step).longValue()).isEqualTo(30);
        assertThat(losses.get(14)).isLessThan(begin);
      }
    }
  }

  @Test
  void inputContext_ofAWorker_saysWhichShareItReads() {
    assertThat(worker(1).inputContext()).isEqualTo(new InputContext(2, 1, 1));
  }
}
