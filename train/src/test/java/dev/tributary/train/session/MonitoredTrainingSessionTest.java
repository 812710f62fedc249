package dev.tributary.train.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.train.hook.Interval;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.StopAtStepHook;
import dev.tributary.train.model.Summaries;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.InputProducers;
import dev.tributary.train.queue.ProducerOptions;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.testing.EventFolder;
import dev.tributary.train.testing.TinyModel;
import dev.tributary.train.testing.TrainingCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 90, unit = TimeUnit.SECONDS)
class MonitoredTrainingSessionTest {
  @TempDir Path logdir;

  /** Such as a hook that waits for a variable which nobody initializes. */
  @Test
  void sessions_thatAreAllLostBeforeTheirFirstStep_endWithTheReason() {
    TinyModel model = TinyModel.build(Ops.create());
    SessionRunHook losing =
        new SessionRunHook() {
          @Override
          public void afterCreateSession(Session session, Coordinator coordinator) {
            throw new TributaryException(ErrorCode.ABORTED, "nobody initializes v");
          }
        };
    MonitoredTrainingOptions options =
        MonitoredTrainingOptions.chief().withWaits(Duration.ofMillis(10), Duration.ofMillis(50));

    assertThatThrownBy(
            () -> MonitoredTrainingSession.open(model.tf(), "local", options, List.of(losing)))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
        .hasMessageContaining("nobody initializes v");
  }

  @Test
  void chief_withFolder_savesSummarisesAndMeasures() {
    TinyModel model = TinyModel.build(Ops.create());
    Summaries.scalar(model.tf(), "loss", model.loss());

    train(model, chief(2), 5);

    assertThat(EventFolder.sessionLogs(logdir))
        .containsExactlyInAnyOrder(
            "CHECKPOINT 0", "START 1", "CHECKPOINT 2", "CHECKPOINT 4", "CHECKPOINT 5");
    assertThat(EventFolder.stepsOf(logdir, "loss")).containsExactly(1L, 3L, 5L);
    assertThat(EventFolder.stepsOf(logdir, "global_step/sec")).containsExactly(3L, 5L);
  }

  @Test
  void chief_withTwoFolders_writesSummariesApart(@TempDir Path summaries) {
    TinyModel model = TinyModel.build(Ops.create());
    Summaries.scalar(model.tf(), "loss", model.loss());
    ChiefOutput output = output(2).withSummaryDir(summaries);

    train(model, MonitoredTrainingOptions.chief().withOutput(output), 3);

    assertThat(EventFolder.stepsOf(summaries, "loss")).containsExactly(1L, 3L);
    assertThat(EventFolder.stepsOf(logdir, "loss")).isEmpty();
    assertThat(EventFolder.sessionLogs(logdir)).contains("CHECKPOINT 3");
  }

  @Test
  void chief_secondRun_goesOnFromTheCheckpoint() {
    train(TinyModel.build(Ops.create()), chief(100), 4);
    TinyModel second = TinyModel.build(Ops.create());

    assertThat(train(second, chief(100), 6)).isEqualTo(2);

    assertThat(Saver.latestCheckpoint(logdir)).contains(logdir.resolve("model.ckpt-6"));
  }

  @Test
  void chief_secondOnOneFolder_isRefusedUntilTheFirstIsDone() {
    TinyModel first = TinyModel.build(Ops.create());
    TinyModel second = TinyModel.build(Ops.create());
    try (MonitoredSession session = open(first, chief(100), List.of())) {
      assertThatThrownBy(() -> open(second, chief(100), List.of()))
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS));
    }

    assertThat(train(second, chief(100), 2)).isEqualTo(2);
  }

  @Test
  void chief_withFolderButNoGlobalStep_isRefused() {
    Ops tf = Ops.create();

    assertThatThrownBy(() -> MonitoredTrainingSession.open(tf, "local", chief(100), List.of()))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("global step");
  }

  @Test
  void worker_withoutChief_givesUpAndNamesWhatIsMissing() {
    TinyModel model = TinyModel.build(Ops.create());
    MonitoredTrainingOptions options =
        MonitoredTrainingOptions.worker().withWaits(Duration.ofMillis(5), Duration.ofMillis(50));

    assertThatThrownBy(() -> open(model, options, List.of()))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
        .hasMessageContaining("w, global_step");
  }

  @Test
  void cluster_parameterServerLost_goesOnFromTheLastCheckpoint() {
    try (TrainingCluster cluster = TrainingCluster.start(1, 1)) {
      TinyModel model = build(0);
      SessionStarts starts = new SessionStarts(model);
      List<SessionRunHook> hooks = List.of(starts, StopAtStepHook.lastStep(model.globalStep(), 20));
      double[] steps = {0};
      boolean[] lost = {false};
      try (MonitoredSession session =
          MonitoredTrainingSession.open(
              model.tf(), cluster.target(0), chief(4).withWaits(WAIT, PATIENCE), hooks)) {
        session.repeatUntilStop(
            s -> {
              s.run(model.train());
              if (++steps[0] == 10 && !lost[0]) {
                lost[0] = true;
                cluster.restartParameterServer(0);
              }
            });
      }

      assertThat(starts.steps).containsExactly(0L, 8L);
      try (Session session = cluster.session(0, model.tf().graph())) {
        assertThat(model.step(session)).isEqualTo(20);
        assertThat(model.stepsOfWeight(session)).isEqualTo(20);
      }
    }
  }

  @Test
  void cluster_parameterServerLost_inputQueuesOfTheWorkerGoOn() {
    try (TrainingCluster cluster = TrainingCluster.start(1, 1)) {
      TinyModel model = build(0);
      Output number =
          InputProducers.rangeInputProducer(
                  model.tf(), model.tf().constant(5), ProducerOptions.defaults())
              .dequeue()
              .get(0);
      List<SessionRunHook> hooks = List.of(StopAtStepHook.lastStep(model.globalStep(), 20));
      int[] steps = {0};
      try (MonitoredSession session =
          MonitoredTrainingSession.open(
              model.tf(), cluster.target(0), chief(4).withWaits(WAIT, PATIENCE), hooks)) {
        session.repeatUntilStop(
            s -> {
              s.run(model.train(), number.operation());
              if (++steps[0] == 10) {
                cluster.restartParameterServer(0);
              }
            });
      }

      assertThat(steps[0]).isEqualTo(22);
    }
  }

  @Test
  void cluster_workersWhoLoseTheParameterServer_trainOnTogether() throws Exception {
    try (TrainingCluster cluster = TrainingCluster.start(1, 2)) {
      CountDownLatch bothTrain = new CountDownLatch(2);
      ExecutorService threads = Executors.newFixedThreadPool(2);
      List<Future<List<Long>>> ends = new ArrayList<>();
      for (int i = 1; i >= 0; i--) {
        int task = i;
        ends.add(threads.submit(() -> trainInCluster(cluster, task, bothTrain)));
      }
      threads.shutdown();
      assertThat(bothTrain.await(60, TimeUnit.SECONDS)).isTrue();
      cluster.restartParameterServer(0);

      for (Future<List<Long>> end : ends) {
        List<Long> starts = end.get(80, TimeUnit.SECONDS);
        assertThat(starts).hasSizeGreaterThan(1);
        assertThat(starts.get(1)).isPositive();
      }
    }
    assertThat(Saver.latestCheckpoint(logdir)).isPresent();
  }

  private static final Duration WAIT = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * Trains until both workers were in a second session and some steps were made there. Gives the
   * global step at which each session began.
   */
  private List<Long> trainInCluster(TrainingCluster cluster, int task, CountDownLatch training) {
    TinyModel model = build(task);
    SessionStarts starts = new SessionStarts(model);
    MonitoredTrainingOptions options = (task == 0 ? chief(5) : MonitoredTrainingOptions.worker());
    int[] steps = {0};
    try (MonitoredSession session =
        MonitoredTrainingSession.open(
            model.tf(),
            cluster.target(task),
            options.withWaits(WAIT, PATIENCE).withStopGrace(Duration.ofSeconds(10)),
            List.of(starts))) {
      while (starts.steps.size() < 2 || steps[0] < 20) {
        session.run(model.train());
        if (++steps[0] == 10) {
          training.countDown();
        }
      }
    }
    return starts.steps;
  }

  private static TinyModel build(int task) {
    return TinyModel.build(
        Ops.create()
            .withDeviceFunction(
                ReplicaDeviceSetter.of(1).withWorkerDevice("/job:worker/task:" + task)));
  }

  private ChiefOutput output(int steps) {
    return ChiefOutput.to(logdir)
        .withSaveCheckpoint(Interval.ofSteps(steps))
        .withSaveSummaries(Interval.ofSteps(steps))
        .withLogStepCount(Interval.ofSteps(steps));
  }

  private MonitoredTrainingOptions chief(int steps) {
    return MonitoredTrainingOptions.chief().withOutput(output(steps));
  }

  private static MonitoredSession open(
      TinyModel model, MonitoredTrainingOptions options, List<SessionRunHook> hooks) {
    return MonitoredTrainingSession.open(model.tf(), "local", options, hooks);
  }

  /** Trains up to a global step; gives the number of steps. */
  private static int train(TinyModel model, MonitoredTrainingOptions options, long lastStep) {
    int[] steps = {0};
    List<SessionRunHook> hooks = List.of(StopAtStepHook.lastStep(model.globalStep(), lastStep));
    try (MonitoredSession session = open(model, options, hooks)) {
      session.repeatUntilStop(
          s -> {
            s.run(model.train());
            steps[0]++;
          });
    }
    return steps[0];
  }

  /** The global step at which each session began. */
  private static final class SessionStarts implements SessionRunHook {
    private final TinyModel model;
    private final List<Long> steps = new ArrayList<>();

    SessionStarts(TinyModel model) {
      this.model = model;
    }

    @Override
    public void afterCreateSession(Session session, Coordinator coordinator) {
      steps.add(model.step(session));
    }
  }
}
