package dev.tributary.train.distribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.train.testing.TrainingCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers with a graph and a session each, whose steps meet in collectives. */
@Timeout(120)
class MultiWorkerMirroredStrategyTest {
  private static final int STEPS = 10;

  private static Function<Graph, Session> at(
      TrainingCluster cluster, int worker, Strategy strategy) {
    return graph ->
        Session.open(cluster.target(worker), graph, strategy.configure(SessionOptions.defaults()));
  }

  private static List<Float> losses(TrainingCluster cluster, int worker, int workers) {
    Strategy strategy = MultiWorkerMirroredStrategy.of(workers, worker);
    SmallNet net = SmallNet.under(strategy).build();
    try (Session session = net.start(at(cluster, worker, strategy), true)) {
      List<Float> losses = net.train(session, STEPS);
      assertThat(session.fetch(net.step).longValue()).isEqualTo(STEPS);
      return losses;
    }
  }

  @Test
  void losses_ofAllWorkers_areThoseOfOneLargeBatch() throws Exception {
    List<Float> wanted = SmallNet.under(OneDeviceStrategy.of("/device:CPU:0")).losses(STEPS);
    int workers = 3;
    ExecutorService programs = Executors.newFixedThreadPool(workers);
    try (TrainingCluster cluster = TrainingCluster.start(1, workers)) {
      List<Future<List<Float>>> all = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        int worker = i;
        all.add(programs.submit(() -> losses(cluster, worker, workers)));
      }
      for (Future<List<Float>> one : all) {
        List<Float> losses = one.get(60, TimeUnit.SECONDS);
        for (int i = 0; i < STEPS; i++) {
          assertThat(losses.get(i)).isEqualTo(wanted.get(i), Offset.offset(1e-5f));
        }
      }
    } finally {
      programs.shutdownNow();
    }
  }

  @Test
  void step_ofAWorkerAlone_failsAfterTheTimeout() {
    Strategy strategy = MultiWorkerMirroredStrategy.of(2, 0).withTimeout(Duration.ofMillis(300));
    SmallNet net = SmallNet.under(strategy).build();
    try (TrainingCluster cluster = TrainingCluster.start(1, 2)) {
      assertThatThrownBy(() -> net.start(at(cluster, 0, strategy), true).close())
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
          .hasMessageContaining("1 of 2 members");
    }
  }

  @Test
  void replicas_ofAllWorkers_areNumberedAndScaled() {
    Strategy strategy = MultiWorkerMirroredStrategy.of(3, 1).withReplicasPerWorker(2);

    assertThat(strategy.numReplicasInSync()).isEqualTo(6);
    assertThat(strategy.inputContext()).isEqualTo(new InputContext(3, 1, 6));
    PerReplica<Integer> ids = strategy.run(Ops.create(), ReplicaContext::replicaIdInSyncGroup);
    assertThat(ids.values()).containsExactly(2, 3);
  }

  @Test
  void workers_wrong_areRefused() {
    assertThatThrownBy(() -> MultiWorkerMirroredStrategy.of(2, 2))
        .hasMessageContaining("worker 2 is not among the 2 tasks");
    assertThatThrownBy(
            () ->
                MultiWorkerMirroredStrategy.of(
                    List.of("/job:chief/task:0", "/job:chief/task:0"), 0))
        .hasMessageContaining("comes twice");
  }
}
