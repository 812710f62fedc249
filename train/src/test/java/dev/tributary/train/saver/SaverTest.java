package dev.tributary.train.saver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.internal.bundle.BundleReader;
import dev.tributary.internal.bundle.CheckpointFolder;
import dev.tributary.internal.bundle.CheckpointState;
import dev.tributary.internal.time.Ticker;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.FakeClock;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.optimizer.ExponentialMovingAverage;
import dev.tributary.train.replica.PsStrategy;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.testing.CapturedLog;
import dev.tributary.train.testing.ModelRun;
import dev.tributary.train.testing.TrainingCluster;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.PartitionedVariable;
import dev.tributary.train.variable.Partitioner;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import dev.tributary.train.variable.Variables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SaverTest {
  @TempDir Path folder;

  private final Ops tf = Ops.create();
  private final VariableScope scope = VariableScope.of(tf);

  @Test
  void isCheap_afterASave_onlyOnceItIsASmallShareOfTheTime() {
    scope.getVariable("w", Shape.of(1), Initializers.constant(1));
    FakeClock clock = new FakeClock();
    AtomicBoolean isSaving = new AtomicBoolean();
    // Within a save, the second look at the clock is at its end.
    Ticker slow =
        () -> {
          if (isSaving.get()) {
            clock.advance(Duration.ofSeconds(1));
          }
          return clock.nanos();
        };
    Saver saver = Saver.of(tf.graph()).withClock(slow);
    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(saver.isCheap()).isTrue();

      isSaving.set(true);
      saver.save(run.session(), folder.resolve("model.ckpt"));
      isSaving.set(false);

      assertThat(saver.isCheap()).isFalse();
      clock.advance(Duration.ofMillis(18_999));
      assertThat(saver.isCheap()).isFalse();
      clock.advance(Duration.ofMillis(1));
      assertThat(saver.isCheap()).isTrue();
    }
  }

  @Test
  void restore_inAnotherSession_bringsBackAllVariables() {
    Variable w = scope.open("net").getVariable("w", Shape.of(2, 2));
    Variable step = GlobalStep.create(tf);
    Operation train = new AdamOptimizer(0.1).minimize(tf, tf.sum(w.value(), 0, 1), step);
    Saver saver = Saver.of(tf.graph());
    float[] trained;
    Path checkpoint;
    try (ModelRun run = ModelRun.initialized(tf)) {
      run.repeat(3, train);
      trained = run.floats(w.value());
      checkpoint = saver.save(run.session(), folder.resolve("model.ckpt"), 3);
    }

    assertThat(checkpoint).isEqualTo(folder.resolve("model.ckpt-3"));
    assertThat(Saver.latestCheckpoint(folder)).contains(checkpoint);
    try (BundleReader reader = BundleReader.open(checkpoint)) {
      assertThat(reader.names())
          .containsExactlyInAnyOrder(
              "net/w", "net/w/Adam", "net/w/Adam_1", "beta1_power", "beta2_power", "global_step");
    }
    try (ModelRun run = ModelRun.of(tf)) {
      saver.restore(run.session(), checkpoint);
      assertThat(run.floats(w.value())).containsExactly(trained);
      assertThat(run.longOf(step.value())).isEqualTo(3);
    }
  }

  @Test
  void operations_ofSaver_areCalledAsStockCallsThem() {
    scope.getVariable("w", Shape.of(2));
    Saver first = Saver.of(tf.graph());
    Saver second = Saver.of(tf.graph());

    assertThat(first.filenameTensor().name()).isEqualTo("save/Const:0");
    assertThat(first.saveTensor().name()).isEqualTo("save/control_dependency:0");
    assertThat(first.restoreOp().name()).isEqualTo("save/restore_all");
    assertThat(tf.graph().find("save/SaveV2/tensor_names")).isPresent();
    assertThat(second.filenameTensor().name()).isEqualTo("save_1/Const:0");
  }

  @Test
  void save_ofPartitionedVariable_keepsOneNameForAnyCut() {
    VariableSpec spec = VariableSpec.of("w", Shape.of(5, 2));
    PartitionedVariable w = scope.getPartitionedVariable(spec, Partitioner.fixedSize(3, 0));
    var whole = w.value(tf);
    Saver saver = Saver.of(tf.graph());
    Ops other = Ops.create();
    PartitionedVariable cut =
        VariableScope.of(other).getPartitionedVariable(spec, Partitioner.fixedSize(2, 1));
    var otherWhole = cut.value(other);
    Saver otherSaver = Saver.of(other.graph());
    Ops uncut = Ops.create();
    Variable inOne = VariableScope.of(uncut).getVariable(spec);
    Saver uncutSaver = Saver.of(uncut.graph());

    float[] values;
    try (ModelRun run = ModelRun.initialized(tf)) {
      values = run.floats(whole);
      saver.save(run.session(), folder.resolve("parts"));
    }
    try (ModelRun run = ModelRun.of(other)) {
      otherSaver.restore(run.session(), folder.resolve("parts"));
      assertThat(run.floats(otherWhole)).containsExactly(values);
    }
    try (ModelRun run = ModelRun.of(uncut)) {
      uncutSaver.restore(run.session(), folder.resolve("parts"));
      assertThat(run.floats(inOne.value())).containsExactly(values);
    }
  }

  @Test
  void restore_byAverages_readsThemIntoTheVariables() {
    Variable w = scope.getVariable("w", Shape.of(2), Initializers.constant(1));
    ExponentialMovingAverage average = new ExponentialMovingAverage(0.5);
    Operation set = w.assign(tf.constant(3f, 5f));
    Operation train = average.apply(tf.withControlDependencies(set), List.of(w));
    Saver saver = Saver.of(tf.graph());
    Ops use = Ops.create();
    Variable used = VariableScope.of(use).getVariable("w", Shape.of(2));
    Saver averages =
        Saver.of(
            use.graph(),
            new ExponentialMovingAverage(0.5).variablesToRestore(use.graph()),
            SaverOptions.defaults());

    try (ModelRun run = ModelRun.initialized(tf)) {
      run.run(train);
      saver.save(run.session(), folder.resolve("model"));
    }
    try (ModelRun run = ModelRun.of(use)) {
      averages.restore(run.session(), folder.resolve("model"));
      assertThat(run.floats(used.value())).containsExactly(2, 3);
    }
  }

  @Test
  void save_moreThanToKeep_deletesTheOldest() throws IOException {
    scope.getVariable("w", Shape.of(2));
    Saver saver = Saver.of(tf.graph(), SaverOptions.defaults().withMaxToKeep(2));

    try (ModelRun run = ModelRun.initialized(tf)) {
      for (long step = 1; step <= 4; step++) {
        saver.save(run.session(), folder.resolve("m"), step);
      }
      saver.save(run.session(), folder.resolve("m"), 3);
    }

    assertThat(files())
        .containsExactly(
            "checkpoint",
            "m-3.data-00000-of-00001",
            "m-3.index",
            "m-3.meta",
            "m-4.data-00000-of-00001",
            "m-4.index",
            "m-4.meta");
    assertThat(CheckpointState.read(folder).orElseThrow().all()).containsExactly("m-4", "m-3");
    assertThat(Saver.latestCheckpoint(folder)).contains(folder.resolve("m-3"));
  }

  @Test
  void save_everyHour_keepsOneOfEach() throws IOException {
    scope.getVariable("w", Shape.of(2));
    SettableClock clock = new SettableClock();
    Saver saver =
        Saver.of(
            tf.graph(),
            SaverOptions.defaults()
                .withMaxToKeep(1)
                .withKeepEvery(Duration.ofHours(1))
                .withClock(clock));

    try (ModelRun run = ModelRun.initialized(tf)) {
      for (long step = 0; step < 9; step++) {
        saver.save(run.session(), folder.resolve("m"), step);
        clock.now = clock.now.plus(Duration.ofMinutes(20));
      }
    }

    // The first ones after one hour and after two, and the last.
    assertThat(files())
        .filteredOn(f -> f.endsWith(".index"))
        .containsExactly("m-4.index", "m-7.index", "m-8.index");
  }

  @Test
  void recoverLastCheckpoints_ofEarlierRun_deletesThemInTurn() throws IOException {
    scope.getVariable("w", Shape.of(2));
    SaverOptions two = SaverOptions.defaults().withMaxToKeep(2);
    Saver before = Saver.of(tf.graph(), two);
    Saver after = Saver.of(tf.graph(), two);

    try (ModelRun run = ModelRun.initialized(tf)) {
      before.save(run.session(), folder.resolve("m"), 1);
      before.save(run.session(), folder.resolve("m"), 2);
      after.recoverLastCheckpoints(folder);
      assertThat(after.lastCheckpoints()).hasSize(2);
      after.save(run.session(), folder.resolve("m"), 3);
    }

    assertThat(files())
        .filteredOn(f -> f.endsWith(".index"))
        .containsExactly("m-2.index", "m-3.index");
  }

  @Test
  void restoreLatest_damagedCheckpoints_areNotCountedAsKept() throws IOException {
    scope.getVariable("w", Shape.of(2));
    SaverOptions two = SaverOptions.defaults().withMaxToKeep(2);
    Saver before = Saver.of(tf.graph(), two.withMaxToKeep(3));
    Saver after = Saver.of(tf.graph(), two);

    try (ModelRun run = ModelRun.initialized(tf)) {
      for (long step = 1; step <= 3; step++) {
        before.save(run.session(), folder.resolve("m"), step);
      }
      Files.delete(folder.resolve("m-3.data-00000-of-00001"));
      assertThat(after.restoreLatest(run.session(), folder)).contains(folder.resolve("m-2"));
      assertThat(after.lastCheckpoints())
          .containsExactly(folder.resolve("m-1"), folder.resolve("m-2"));
      after.save(run.session(), folder.resolve("m"), 4);
    }

    assertThat(intact()).containsExactly("m-2", "m-4");
    assertThat(CheckpointState.read(folder).orElseThrow().all()).containsExactly("m-2", "m-4");
  }

  @Test
  void restoreLatest_withoutStateFile_keepsAsManyAsBeforeAndLeavesOlderOnes() throws IOException {
    scope.getVariable("w", Shape.of(2));
    Saver before = Saver.of(tf.graph(), SaverOptions.defaults().withMaxToKeep(0));
    Saver after = Saver.of(tf.graph(), SaverOptions.defaults().withMaxToKeep(2));

    try (ModelRun run = ModelRun.initialized(tf)) {
      for (long step = 1; step <= 4; step++) {
        before.save(run.session(), folder.resolve("m"), step);
      }
      Files.delete(folder.resolve("checkpoint"));
      assertThat(after.restoreLatest(run.session(), folder)).contains(folder.resolve("m-4"));
      after.save(run.session(), folder.resolve("m"), 5);
    }

    // The first two may have been kept for ever; the third is too many now.
    assertThat(intact()).containsExactly("m-1", "m-2", "m-4", "m-5");
    assertThat(CheckpointState.read(folder).orElseThrow().all()).containsExactly("m-4", "m-5");
  }

  @Test
  void restoreLatest_variableThatNoCheckpointHas_isNotHiddenByOlderOnes() {
    scope.getVariable("w", Shape.of(2));
    Saver saver = Saver.of(tf.graph());
    try (ModelRun run = ModelRun.initialized(tf)) {
      saver.save(run.session(), folder.resolve("m"), 1);
    }
    Ops other = Ops.create();
    VariableScope.of(other).getVariable("v", Shape.of(2));
    Saver restorer = Saver.of(other.graph());

    try (ModelRun run = ModelRun.of(other)) {
      assertThatThrownBy(() -> restorer.restoreLatest(run.session(), folder))
          .isInstanceOfSatisfying(
              TributaryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
          .hasMessageContaining("Key v not found");
    }
  }

  @Test
  void restoreLatest_emptyFolder_restoresNothing() {
    scope.getVariable("w", Shape.of(2));
    Saver saver = Saver.of(tf.graph());

    try (ModelRun run = ModelRun.of(tf)) {
      assertThat(saver.restoreLatest(run.session(), folder)).isEmpty();
    }
  }

  @Test
  void restoreLatest_stateFileThatWasEdited_isFollowedWithAWarning() throws IOException {
    scope.getVariable("w", Shape.of(2));
    Saver saver = Saver.of(tf.graph());
    try (ModelRun run = ModelRun.initialized(tf)) {
      saver.save(run.session(), folder.resolve("m"), 1);
      String one = Files.readString(folder.resolve("checkpoint"));
      saver.save(run.session(), folder.resolve("m"), 2);
      Files.writeString(folder.resolve("checkpoint"), one);
      Files.setLastModifiedTime(folder.resolve("checkpoint"), FileTime.fromMillis(1_000));

      try (CapturedLog log = CapturedLog.start()) {
        assertThat(saver.restoreLatest(run.session(), folder)).contains(folder.resolve("m-1"));
        assertThat(log.lines("WARN")).anyMatch(line -> line.contains("m-2 is newer"));
      }
    }
  }

  @Test
  void restoreLatest_filesThatOnlyTheTasksSee_isLeftToThem(@TempDir Path disk) throws IOException {
    Path logs = Path.of("target", "only-the-tasks-see-" + System.nanoTime());
    try (TrainingCluster cluster = TrainingCluster.start(1, 1, disk)) {
      Ops model =
          tf.withDeviceFunction(ReplicaDeviceSetter.of(1).withWorkerDevice("/job:ps/task:0"));
      Variable w = VariableScope.of(model).getVariable("w", Shape.of(2), Initializers.constant(1));
      Operation change = w.assign(model.constant(7f, 7f));
      Saver saver = Saver.of(model.graph(), SaverOptions.defaults().withSharding());
      Operation init = Variables.globalInitializer(model);
      try (Session session = cluster.session(0, tf.graph())) {
        session.run(init);
        saver.save(session, logs.resolve("m"), 1);
        saver.save(session, logs.resolve("m"), 2);
        assertThat(disk.resolve(logs).resolve("m-2.index")).exists();
        assertThat(logs.resolve("m-2.index")).doesNotExist();
        Files.delete(disk.resolve(logs).resolve("m-2.index"));
        session.run(change);

        assertThat(saver.restoreLatest(session, logs)).contains(logs.resolve("m-1"));

        try (StepResult value = session.runner().fetch(w.value()).run()) {
          assertThat(value.get(0).getFloat(0)).isEqualTo(1);
        }
        assertThat(saver.lastCheckpoints()).contains(logs.resolve("m-1"));
      }
    } finally {
      for (String name : List.of("checkpoint", "m-1.meta", "m-2.meta", "")) {
        Files.deleteIfExists(logs.resolve(name));
      }
    }
  }

  @Test
  void restore_whatDoesNotFit_namesTheVariable() {
    scope.getVariable("w", Shape.of(2));
    Saver saver = Saver.of(tf.graph());
    Path checkpoint;
    try (ModelRun run = ModelRun.initialized(tf)) {
      checkpoint = saver.save(run.session(), folder.resolve("m"));
    }

    assertRefused(VariableSpec.of("w", Shape.of(3)), checkpoint, "w");
    assertRefused(VariableSpec.of("w", Shape.of(2)).withType(DataType.INT32), checkpoint, "w");
    assertRefused(VariableSpec.of("other", Shape.of(2)), checkpoint, "other");
    assertRefused(VariableSpec.of("w", Shape.of(2)), folder.resolve("none"), "none.index");
  }

  @Test
  void restore_damagedData_isDataLoss() throws IOException {
    scope.getVariable("w", Shape.of(2));
    Saver saver = Saver.of(tf.graph());
    try (ModelRun run = ModelRun.initialized(tf)) {
      Path checkpoint = saver.save(run.session(), folder.resolve("m"));
      Files.write(folder.resolve("m.data-00000-of-00001"), new byte[8]);

      assertThatThrownBy(() -> saver.restore(run.session(), checkpoint))
          .isInstanceOfSatisfying(
              TributaryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_LOSS))
          .hasMessageContaining("w");
    }
  }

  @Test
  void save_shardedOverTwoServers_isRestoredByOneProcess() {
    Path checkpoint;
    try (TrainingCluster cluster = TrainingCluster.start(2, 1)) {
      Ops model =
          tf.withDeviceFunction(
              ReplicaDeviceSetter.of(2)
                  .withWorkerDevice("/job:worker/task:0")
                  .withStrategy(PsStrategy.roundRobin(2)));
      VariableScope spread = VariableScope.of(model);
      spread.getVariable("a", Shape.of(2), Initializers.constant(1));
      spread.getVariable("b", Shape.of(2), Initializers.constant(2));
      spread.getVariable(
          VariableSpec.of("names", Shape.of(1))
              .withType(DataType.STRING)
              .withInitializer((ops, type, slice) -> ops.constant(new String[] {"x"})));
      Saver saver = Saver.of(model.graph(), SaverOptions.defaults().withSharding());
      Operation init = Variables.globalInitializer(model);
      try (Session session = cluster.session(0, tf.graph())) {
        session.run(init);
        checkpoint = saver.save(session, folder.resolve("m"), 1);
        saver.restore(session, checkpoint);
      }
    }

    assertThat(files())
        .containsExactly(
            "checkpoint",
            "m-1.data-00000-of-00002",
            "m-1.data-00001-of-00002",
            "m-1.index",
            "m-1.meta");
    Ops alone = Ops.create();
    Variable a = VariableScope.of(alone).getVariable("a", Shape.of(2));
    Variable b = VariableScope.of(alone).getVariable("b", Shape.of(2));
    Saver restorer = Saver.of(alone.graph());
    try (ModelRun run = ModelRun.of(alone)) {
      restorer.restore(run.session(), checkpoint);
      assertThat(run.floats(a.value())).containsExactly(1, 1);
      assertThat(run.floats(b.value())).containsExactly(2, 2);
    }
  }

  @Test
  void of_graphWithoutVariables_isRefused() {
    assertThatThrownBy(() -> Saver.of(tf.graph())).isInstanceOf(TributaryException.class);
  }

  private static void assertRefused(VariableSpec spec, Path checkpoint, String text) {
    Ops other = Ops.create();
    VariableScope.of(other).getVariable(spec);
    Saver saver = Saver.of(other.graph());
    try (ModelRun run = ModelRun.of(other)) {
      assertThatThrownBy(() -> saver.restore(run.session(), checkpoint))
          .isInstanceOf(TributaryException.class)
          .hasMessageContaining(text);
    }
  }

  private List<String> intact() {
    return files().stream()
        .filter(name -> name.endsWith(".index"))
        .map(name -> name.substring(0, name.length() - ".index".length()))
        .filter(name -> CheckpointFolder.check(folder.resolve(name)).isIntact())
        .toList();
  }

  private List<String> files() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** A clock that stands still until it is set. */
  private static final class SettableClock extends Clock {
    private Instant now = Instant.EPOCH;

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneOffset getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(java.time.ZoneId zone) {
      return this;
    }
  }
}
