package dev.tributary.train.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.train.hook.Interval;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.StopAtStepHook;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.testing.CapturedLog;
import dev.tributary.train.testing.CheckpointWatch;
import dev.tributary.train.testing.EventFolder;
import dev.tributary.train.testing.TinyModel;
import dev.tributary.train.testing.TrainingFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Training that is started in a folder with files of an earlier run. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ResumedRunTest {
  @TempDir private Path logdir;

  private final List<Long> starts = new ArrayList<>();

  /** The two ways to train. Each makes steps until a global step is reached. */
  private enum Trainer {
    SUPERVISOR {
      @Override
      void train(ResumedRunTest test, long lastStep, boolean startsOver) {
        TinyModel model = TinyModel.build(Ops.create());
        SupervisorOptions options =
            SupervisorOptions.chief()
                .withLogdir(test.logdir)
                .withSaveModelEvery(Duration.ofHours(1));
        Supervisor.of(model.tf(), startsOver ? options.withStartOver() : options)
            .run(
                "local",
                managed -> {
                  test.starts.add(model.step(managed.session()));
                  while (!managed.shouldStop() && model.step(managed.session()) < lastStep) {
                    managed.session().run(model.train());
                  }
                  assertThat(model.stepsOfWeight(managed.session()))
                      .isEqualTo(model.step(managed.session()));
                });
      }
    },
    MONITORED {
      @Override
      void train(ResumedRunTest test, long lastStep, boolean startsOver) {
        TinyModel model = TinyModel.build(Ops.create());
        MonitoredTrainingOptions options =
            MonitoredTrainingOptions.chief()
                .withOutput(
                    ChiefOutput.to(test.logdir).withSaveCheckpoint(Interval.ofSteps(1_000)));
        SessionRunHook watch =
            new SessionRunHook() {
              @Override
              public void afterCreateSession(Session session, Coordinator coordinator) {
                test.starts.add(model.step(session));
              }

              @Override
              public void end(Session session) {
                assertThat(model.stepsOfWeight(session)).isEqualTo(model.step(session));
              }
            };
        try (MonitoredSession session =
            MonitoredTrainingSession.open(
                model.tf(),
                "local",
                startsOver ? options.withStartOver() : options,
                List.of(watch, StopAtStepHook.lastStep(model.globalStep(), lastStep)))) {
          session.repeatUntilStop(s -> s.run(model.train()));
        }
      }
    };

    abstract void train(ResumedRunTest test, long lastStep, boolean startsOver);
  }

  @ParameterizedTest
  @EnumSource
  void newRun_inEmptyFolder_saysThatItStartsFromScratch(Trainer trainer) {
    try (CapturedLog log = CapturedLog.start()) {
      trainer.train(this, 1, false);

      assertThat(log.lines("INFO"))
          .anyMatch(
              line -> line.contains("no checkpoint in " + logdir + ", starting from scratch"));
      assertThat(log.lines("WARN")).isEmpty();
    }
    assertThat(starts).containsExactly(0L);
  }

  @ParameterizedTest
  @EnumSource
  void nextRun_afterGoodEnd_saysWhereItResumes(Trainer trainer) {
    folder().withCheckpoints(2, 4);

    try (CapturedLog log = CapturedLog.start()) {
      trainer.train(this, 6, false);

      assertThat(log.lines("INFO"))
          .anyMatch(
              line ->
                  line.contains(
                      "restored " + logdir.resolve("model.ckpt-4") + ", resuming from step 4"));
      assertThat(log.lines("WARN")).isEmpty();
    }
    assertThat(starts).containsExactly(4L);
    assertThat(Saver.latestCheckpoint(logdir)).contains(logdir.resolve("model.ckpt-6"));
  }

  @ParameterizedTest
  @EnumSource
  void finishedRun_startedAgain_makesNoStepAndNoCheckpoint(Trainer trainer) {
    trainer.train(this, 4, false);
    Map<String, FileTime> files = folder().checkpointFiles();
    int notes = checkpointNotes();

    trainer.train(this, 4, false);
    trainer.train(this, 3, false);

    assertThat(starts).containsExactly(0L, 4L, 4L);
    assertThat(folder().checkpointFiles()).isEqualTo(files);
    assertThat(checkpointNotes()).isEqualTo(notes);
  }

  static Stream<Arguments> damages() {
    return Stream.of(
            damage(
                "index missing", f -> TrainingFolder.delete(f.index(6)), 4, "6.index is missing"),
            damage("index empty", f -> TrainingFolder.write(f.index(6)), 4, "only 0 bytes"),
            damage("index damaged", f -> TrainingFolder.flip(f.index(6)), 4, "checksum"),
            damage("data missing", f -> TrainingFolder.delete(f.data(6)), 4, "00001 is missing"),
            damage("data cut", f -> TrainingFolder.truncate(f.data(6)), 4, "bytes"),
            damage("data damaged", f -> TrainingFolder.flip(f.data(6)), 4, "checksum"),
            damage("no state", f -> TrainingFolder.delete(f.state()), 6, "checkpoint is missing"),
            damage("empty state", f -> TrainingFolder.write(f.state()), 6, "checkpoint is empty"),
            damage(
                "state of other text",
                f -> TrainingFolder.write(f.state(), "}{".getBytes(StandardCharsets.UTF_8)),
                6,
                "checkpoint cannot be understood"),
            damage(
                "state of other bytes",
                f -> TrainingFolder.write(f.state(), (byte) 0xff, (byte) 0, (byte) 0xfe),
                6,
                "checkpoint cannot be understood"),
            damage(
                "state names others",
                f ->
                    TrainingFolder.write(
                        f.state(),
                        "model_checkpoint_path: \"model.ckpt-77\""
                            .getBytes(StandardCharsets.UTF_8)),
                6,
                "model.ckpt-77: its files are gone"),
            damage(
                "two damaged and no state",
                f -> {
                  TrainingFolder.delete(f.state());
                  TrainingFolder.delete(f.index(6));
                  TrainingFolder.truncate(f.data(4));
                },
                2,
                "model.ckpt-6: its index"))
        .flatMap(
            damage ->
                Stream.of(Trainer.values())
                    .map(
                        trainer ->
                            Arguments.of(
                                trainer,
                                damage.name(),
                                damage.how(),
                                damage.start(),
                                damage.reason())));
  }

  private record Damage(String name, Consumer<TrainingFolder> how, long start, String reason) {}

  private static Damage damage(
      String name, Consumer<TrainingFolder> how, long start, String reason) {
    return new Damage(name, how, start, reason);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("damages")
  void nextRun_damagedFiles_resumesFromTheNewestIntactOneAndWarns(
      Trainer trainer, String name, Consumer<TrainingFolder> damage, long start, String reason) {
    damage.accept(folder().withCheckpoints(2, 4, 6));

    try (CapturedLog log = CapturedLog.start()) {
      trainer.train(this, 8, false);

      assertThat(log.lines("WARN"))
          .anyMatch(
              line ->
                  line.contains("restored " + logdir.resolve("model.ckpt-" + start))
                      && line.contains(reason));
      assertThat(log.lines("INFO")).anyMatch(line -> line.endsWith("resuming from step " + start));
    }
    assertThat(starts).containsExactly(start);
    assertThat(Saver.latestCheckpoint(logdir)).contains(logdir.resolve("model.ckpt-8"));
    trainer.train(this, 8, false);
    assertThat(starts).containsExactly(start, 8L);
  }

  @ParameterizedTest
  @EnumSource
  void nextRun_noUsableCheckpoint_refusesToStartOverUnlessToldTo(Trainer trainer) {
    TrainingFolder folder = folder().withCheckpoints(2, 4);
    TrainingFolder.truncate(folder.data(2));
    TrainingFolder.delete(folder.index(4));
    Map<String, FileTime> files = folder.checkpointFiles();

    assertThatThrownBy(() -> trainer.train(this, 6, false))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION))
        .hasMessageContainingAll(
            logdir.toString(),
            "model.ckpt-4: its index model.ckpt-4.index is missing",
            "model.ckpt-2: its data file",
            "withStartOver");
    assertThat(starts).isEmpty();
    assertThat(folder.checkpointFiles()).isEqualTo(files);

    trainer.train(this, 3, true);
    trainer.train(this, 5, false);
    assertThat(starts).containsExactly(0L, 3L);
  }

  @ParameterizedTest
  @EnumSource
  void nextRun_stateNamesCheckpointsThatAreAllGone_isRefused(Trainer trainer) {
    TrainingFolder folder = folder().withCheckpoints(2);
    TrainingFolder.delete(folder.index(2));
    TrainingFolder.delete(folder.data(2));

    assertThatThrownBy(() -> trainer.train(this, 6, false))
        .isInstanceOf(TributaryException.class)
        .hasMessageContainingAll("model.ckpt-2", "no such file", "withStartOver");
  }

  @ParameterizedTest
  @EnumSource
  void startOver_inFolderWithCheckpoints_leavesThemUntilThereAreNewOnes(Trainer trainer) {
    folder().withCheckpoints(10, 20);

    try (CapturedLog log = CapturedLog.start()) {
      trainer.train(this, 3, true);

      assertThat(log.lines("INFO"))
          .anyMatch(line -> line.contains("from scratch in " + logdir + ", as requested"));
    }
    assertThat(starts).containsExactly(0L);
    assertThat(folder().index(20)).exists();
    assertThat(Saver.latestCheckpoint(logdir)).contains(logdir.resolve("model.ckpt-3"));

    trainer.train(this, 5, false);
    assertThat(starts).containsExactly(0L, 3L);
  }

  @Test
  void startOver_taskLostLater_resumesFromTheNewCheckpoint() {
    folder().withCheckpoints(10, 20);
    TinyModel model = TinyModel.build(Ops.create());
    Saver own = Saver.of(model.tf().graph());
    SupervisorOptions options =
        SupervisorOptions.chief()
            .withLogdir(logdir)
            .withSaveModelEvery(Duration.ofHours(1))
            .withStartOver()
            .withScaffold(Scaffold.defaults().withSaver(own));

    Supervisor.of(model.tf(), options)
        .run(
            "local",
            managed -> {
              starts.add(model.step(managed.session()));
              if (starts.size() == 1) {
                // The supervisor's own first checkpoint, lest it become the latest after all.
                CheckpointWatch.awaitLatest(logdir.resolve("model.ckpt-0"));
                managed.session().run(model.train());
                own.save(managed.session(), logdir.resolve("model.ckpt"), 1);
                throw new TributaryException(ErrorCode.UNAVAILABLE, "a task is gone");
              }
            });

    assertThat(starts).containsExactly(0L, 1L);
  }

  @ParameterizedTest
  @EnumSource
  void nextRun_firstSaveWasInterrupted_startsFromScratch(Trainer trainer) {
    TrainingFolder folder = folder().withCheckpoints(0);
    TrainingFolder.delete(folder.index(0));
    TrainingFolder.delete(folder.state());
    TrainingFolder.delete(logdir.resolve("model.ckpt-0.meta"));

    try (CapturedLog log = CapturedLog.start()) {
      trainer.train(this, 2, false);

      assertThat(log.lines("WARN"))
          .anyMatch(line -> line.contains("interrupted") && line.contains("model.ckpt-0"));
    }
    assertThat(starts).containsExactly(0L);
  }

  @ParameterizedTest
  @EnumSource
  void newRun_onlyAStateFileOfOtherText_startsFromScratchAndWarns(Trainer trainer) {
    TrainingFolder.write(folder().state(), "}{".getBytes(StandardCharsets.UTF_8));

    try (CapturedLog log = CapturedLog.start()) {
      trainer.train(this, 2, false);

      assertThat(log.lines("WARN")).anyMatch(line -> line.contains("cannot be understood"));
    }
    assertThat(starts).containsExactly(0L);
  }

  @ParameterizedTest
  @EnumSource
  void nextRun_afterKillsDuringSaves_removesWhatTheyLeft(Trainer trainer) throws IOException {
    folder().withCheckpoints(2);
    Path part = logdir.resolve("model.ckpt-3.data-00000-of-00001.tempstate-00112233aabbccdd");
    Path shard = logdir.resolve("model.ckpt-4_temp/part-00000-of-00002.data-00000-of-00001");
    Files.createDirectory(shard.getParent());
    TrainingFolder.write(part, new byte[1_000]);
    TrainingFolder.write(shard, new byte[1_000]);

    trainer.train(this, 2, false);

    assertThat(part).doesNotExist();
    assertThat(shard.getParent()).doesNotExist();
    assertThat(starts).containsExactly(2L);
  }

  private TrainingFolder folder() {
    return new TrainingFolder(logdir);
  }

  private int checkpointNotes() {
    return (int)
        EventFolder.sessionLogs(logdir).stream().filter(s -> s.startsWith("CHECKPOINT")).count();
  }
}
