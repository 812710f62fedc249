package dev.tributary.train.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.Shape;
import dev.tributary.train.hook.Interval;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.StopAtStepHook;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.session.ChiefOutput;
import dev.tributary.train.session.MonitoredSession;
import dev.tributary.train.session.MonitoredTrainingOptions;
import dev.tributary.train.session.MonitoredTrainingSession;
import dev.tributary.train.testing.EventFolder;
import dev.tributary.train.testing.TrainingCluster;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 90, unit = TimeUnit.SECONDS)
class ReplicasInMonitoredSessionsTest {
  private static final int WORKERS = 2;
  private static final long LAST_STEP = 12;

  @TempDir Path logdir;

  @ParameterizedTest
  @ValueSource(strings = {"sync", "sync+backup(1)", "ssp(1)", "async"})
  void workers_ofEachKind_reachTheLastStepAndTellTheirStaleness(String words) throws Exception {
    Consistency consistency = Consistency.parse(words);
    ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
    try (TrainingCluster cluster = TrainingCluster.start(1, WORKERS)) {
      CompletableFuture.allOf(
              CompletableFuture.runAsync(() -> train(cluster, 1, consistency), threads),
              CompletableFuture.runAsync(() -> train(cluster, 0, consistency), threads))
          .get(80, TimeUnit.SECONDS);
    } finally {
      threads.shutdownNow();
    }

    assertThat(EventFolder.stepsOf(logdir, "staleness")).isNotEmpty();
    assertThat(EventFolder.stepsOf(logdir, "staleness_mean")).isNotEmpty();
    assertThat(EventFolder.stepsOf(logdir, "stale_gradients_dropped")).isNotEmpty();
    assertThat(EventFolder.sessionLogs(logdir))
        .anyMatch(log -> log.startsWith("CHECKPOINT ") && step(log) >= LAST_STEP);
  }

  private static long step(String log) {
    return Long.parseLong(log.substring(log.indexOf(' ') + 1));
  }

  private void train(TrainingCluster cluster, int task, Consistency consistency) {
    Ops tf =
        Ops.create()
            .withDeviceFunction(
                ReplicaDeviceSetter.of(1).withWorkerDevice("/job:worker/task:" + task));
    Variable w = VariableScope.of(tf).getVariable("w", Shape.of(1), Initializers.constant(1));
    Variable globalStep = GlobalStep.create(tf);
    ReplicatedOptimizer optimizer =
        ReplicatedOptimizer.of(new GradientDescentOptimizer(0.125), consistency, WORKERS);
    Operation train = optimizer.minimize(tf, tf.sum(w.value(), 0), globalStep);
    List<SessionRunHook> hooks =
        List.of(
            optimizer.sessionRunHook(task == 0), StopAtStepHook.lastStep(globalStep, LAST_STEP));
    try (MonitoredSession session =
        MonitoredTrainingSession.open(tf, cluster.target(task), options(task == 0), hooks)) {
      session.repeatUntilStop(s -> s.run(train));
    }
  }

  private MonitoredTrainingOptions options(boolean isChief) {
    MonitoredTrainingOptions options =
        MonitoredTrainingOptions.chief()
            .withChief(isChief)
            .withWaits(Duration.ofMillis(20), Duration.ofSeconds(60))
            .withStopGrace(Duration.ofSeconds(10));
    return isChief
        ? options.withOutput(
            ChiefOutput.to(logdir)
                .withSaveCheckpoint(Interval.ofSteps(100))
                .withSaveSummaries(Interval.ofSteps(2)))
        : options;
  }
}
