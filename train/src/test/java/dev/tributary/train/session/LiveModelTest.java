package dev.tributary.train.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.CheckpointState;
import dev.tributary.ops.Ops;
import dev.tributary.session.StepResult;
import dev.tributary.train.hook.SessionRunArgs;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.testing.CheckpointWatch;
import dev.tributary.train.testing.TinyModel;
import dev.tributary.train.testing.TrainingCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A chief restores a checkpoint only if the tasks have lost a part of its model. The checkpoint of
 * these tests is of step 0, and each life of a chief makes five steps.
 */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class LiveModelTest {
  private static final int STEPS = 5;

  @TempDir Path logdir;
  @TempDir Path otherLogdir;

  private final List<Long> starts = new ArrayList<>();
  private TrainingCluster cluster;

  @BeforeEach
  void startCluster() {
    cluster = TrainingCluster.start(2, 1);
  }

  @AfterEach
  void closeCluster() {
    cluster.close();
  }

  @Test
  void run_sessionLostButNoVariable_continuesFromTheLiveModel() {
    run(options(logdir), () -> lose(1));

    assertThat(starts).containsExactly(0L, 5L);
  }

  @Test
  void run_withoutLogdir_continuesFromTheLiveModelToo() {
    run(SupervisorOptions.chief(), () -> lose(1));

    assertThat(starts).containsExactly(0L, 5L);
  }

  /** The global step is on the other one. */
  @Test
  void run_parameterServerRestarted_restoresAllVariables() {
    run(
        options(logdir),
        () -> {
          if (starts.size() == 1) {
            cluster.restartParameterServer(0);
          }
          lose(1);
        });

    assertThat(starts).containsExactly(0L, 0L);
  }

  @Test
  void run_chiefStartedAgain_continuesFromTheLiveModel() {
    runAndDie();

    run(options(logdir), () -> {});

    assertThat(starts).containsExactly(0L, 5L);
  }

  @Test
  void run_toldToStartOver_startsFromScratch() {
    runAndDie();

    run(options(logdir).withStartOver(), () -> lose(2));

    assertThat(starts).containsExactly(0L, 0L, 5L);
  }

  @Test
  void run_chiefStartedAgain_deletesItsOldCheckpointsInTheirTurn() {
    runAndDie();

    run(options(logdir), () -> {});

    assertThat(CheckpointState.read(logdir).orElseThrow().all())
        .first()
        .asString()
        .endsWith("model.ckpt-0");
  }

  @Test
  void run_anotherTrainingOnTheSameTasks_startsFromScratch() {
    runAndDie();

    run(options(otherLogdir), () -> {});

    assertThat(starts).containsExactly(0L, 0L);
  }

  /** The tasks hold the other training's model. */
  @Test
  void run_afterAnotherTrainingOnTheSameTasks_restoresItsOwnCheckpoint() {
    runAndDie();
    run(options(otherLogdir), () -> {});

    run(options(logdir), () -> {});

    assertThat(starts).containsExactly(0L, 0L, 0L);
  }

  @Test
  void run_markThatCannotBeRead_restoresTheCheckpoint() throws IOException {
    runAndDie();
    Files.writeString(logdir.resolve("live_model"), "not a number");

    run(options(logdir), () -> {});

    assertThat(starts).containsExactly(0L, 0L);
  }

  @Test
  void monitored_chiefStartedAgain_continuesFromTheLiveModel() {
    monitoredThatDies();
    monitoredThatDies();

    assertThat(starts).containsExactly(0L, 5L);
  }

  private void monitoredThatDies() {
    TinyModel model = model();
    MonitoredTrainingOptions options =
        MonitoredTrainingOptions.chief()
            .withOutput(ChiefOutput.to(logdir))
            .withStopGrace(Duration.ofSeconds(20));
    assertThatThrownBy(
            () -> {
              try (MonitoredSession session =
                  MonitoredTrainingSession.open(
                      model.tf(), cluster.target(0), options, List.of())) {
                try (StepResult step =
                    session.run(SessionRunArgs.fetching(model.globalStep().value()))) {
                  starts.add(step.get(0).longValue());
                }
                session.repeatUntilStop(
                    s -> {
                      for (int i = 0; i < STEPS; i++) {
                        s.run(model.train());
                      }
                      throw new IllegalStateException("killed");
                    });
              }
            })
        .hasMessage("killed");
    model.tf().graph().close();
  }

  /** A chief that ends without a last checkpoint. */
  private void runAndDie() {
    assertThatThrownBy(
            () ->
                run(
                    options(logdir),
                    () -> {
                      throw new IllegalStateException("killed");
                    }))
        .hasMessage("killed");
  }

  private void run(SupervisorOptions options, Runnable afterSteps) {
    TinyModel model = model();
    Supervisor.of(model.tf(), options)
        .run(
            cluster.target(0),
            managed -> {
              starts.add(model.step(managed.session()));
              if (starts.size() == 1) {
                options
                    .logdir()
                    .ifPresent(dir -> CheckpointWatch.awaitLatest(dir.resolve("model.ckpt-0")));
              }
              for (int i = 0; i < STEPS; i++) {
                managed.session().run(model.train());
              }
              afterSteps.run();
            });
    model.tf().graph().close();
  }

  private void lose(int times) {
    if (starts.size() <= times) {
      throw new TributaryException(ErrorCode.UNAVAILABLE, "the master did not answer");
    }
  }

  private static TinyModel model() {
    return TinyModel.build(
        Ops.create()
            .withDeviceFunction(ReplicaDeviceSetter.of(2).withWorkerDevice("/job:worker/task:0")));
  }

  private static SupervisorOptions options(Path folder) {
    return SupervisorOptions.chief()
        .withLogdir(folder)
        .withSaveModelEvery(Duration.ofHours(1))
        .withStopGrace(Duration.ofSeconds(20));
  }
}
