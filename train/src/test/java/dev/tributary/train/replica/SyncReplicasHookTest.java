package dev.tributary.train.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.Shape;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.StopAtStepHook;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.session.MonitoredSession;
import dev.tributary.train.session.MonitoredTrainingOptions;
import dev.tributary.train.session.MonitoredTrainingSession;
import dev.tributary.train.testing.TrainingCluster;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 90, unit = TimeUnit.SECONDS)
class SyncReplicasHookTest {
  private static final int WORKERS = 2;
  private static final long LAST_STEP = 12;

  @Test
  void workers_inMonitoredSessions_trainInStepAndEndTogether() throws Exception {
    try (TrainingCluster cluster = TrainingCluster.start(1, WORKERS)) {
      ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
      List<Future<Long>> ends = new ArrayList<>();
      for (int i = WORKERS - 1; i >= 0; i--) {
        int task = i;
        ends.add(threads.submit(() -> train(cluster, task)));
      }
      threads.shutdown();
      for (Future<Long> end : ends) {
        assertThat(end.get(80, TimeUnit.SECONDS)).isBetween(LAST_STEP - 1, LAST_STEP + 1);
      }
    }
  }

  /** Trains as one worker; gives how many steps it took part in. */
  private static long train(TrainingCluster cluster, int task) {
    Ops tf =
        Ops.create()
            .withDeviceFunction(
                ReplicaDeviceSetter.of(1).withWorkerDevice("/job:worker/task:" + task));
    Variable w = VariableScope.of(tf).getVariable("w", Shape.of(1), Initializers.constant(1));
    Variable globalStep = GlobalStep.create(tf);
    SyncReplicasOptimizer optimizer =
        new SyncReplicasOptimizer(new GradientDescentOptimizer(0.125), WORKERS, WORKERS);
    Operation train = optimizer.minimize(tf, tf.sum(w.value(), 0), globalStep);
    MonitoredTrainingOptions options =
        MonitoredTrainingOptions.chief()
            .withChief(task == 0)
            .withWaits(Duration.ofMillis(20), Duration.ofSeconds(60))
            .withStopGrace(Duration.ofSeconds(10));
    List<SessionRunHook> hooks =
        List.of(
            optimizer.sessionRunHook(task == 0), StopAtStepHook.lastStep(globalStep, LAST_STEP));
    long[] steps = {0};
    try (MonitoredSession session =
        MonitoredTrainingSession.open(tf, cluster.target(task), options, hooks)) {
      session.repeatUntilStop(
          s -> {
            s.run(train);
            steps[0]++;
          });
    }
    return steps[0];
  }
}
