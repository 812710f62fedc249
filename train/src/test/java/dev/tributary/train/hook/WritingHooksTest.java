package dev.tributary.train.hook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.record.EventWriter;
import dev.tributary.session.Session;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.model.Summaries;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.session.MonitoredSession;
import dev.tributary.train.session.SingularMonitoredSession;
import dev.tributary.train.testing.CapturedLog;
import dev.tributary.train.testing.EventFolder;
import dev.tributary.train.testing.TinyModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.Event;
import org.tensorflow.proto.RunMetadata;

/** Hooks that write checkpoints and events. */
@NoLeaks
class WritingHooksTest {
  @TempDir Path folder;

  private final TinyModel model = TinyModel.build(Ops.create());

  @AfterEach
  void closeGraph() {
    model.tf().graph().close();
  }

  @Test
  void checkpointSaver_bySteps_savesAtTheStartApartAndAtTheEnd() throws Exception {
    Saver saver = Saver.of(model.tf().graph());
    try (EventWriter events = EventWriter.create(folder)) {
      train(7, new CheckpointSaverHook(saver, events, model.globalStep(), Interval.ofSteps(3)));
    }

    assertThat(EventFolder.sessionLogs(folder))
        .containsExactly("CHECKPOINT 0", "CHECKPOINT 3", "CHECKPOINT 6", "CHECKPOINT 7");
    assertThat(Saver.latestCheckpoint(folder)).contains(folder.resolve("model.ckpt-7"));
    assertThat(Files.readString(folder.resolve("graph.pbtxt"))).contains("VarHandleOp");
    assertThat(EventFolder.read(folder)).anyMatch(e -> !e.getGraphDef().isEmpty());
    assertThat(EventFolder.read(folder)).anyMatch(e -> !e.getMetaGraphDef().isEmpty());
  }

  @Test
  void checkpointSaver_eachSave_logsTheStepAndTheFileOnce() {
    Saver saver = Saver.of(model.tf().graph());
    try (EventWriter events = EventWriter.create(folder);
        CapturedLog log = CapturedLog.start()) {
      train(4, new CheckpointSaverHook(saver, events, model.globalStep(), Interval.ofSteps(3)));

      assertThat(log.lines("INFO"))
          .filteredOn(line -> line.contains("saved step"))
          .satisfiesExactly(
              line -> assertThat(line).endsWith("saved step 0 to " + checkpoint(0)),
              line -> assertThat(line).endsWith("saved step 3 to " + checkpoint(3)),
              line -> assertThat(line).endsWith("saved step 4 to " + checkpoint(4)));
    }
  }

  private Path checkpoint(long step) {
    return folder.resolve("model.ckpt-" + step);
  }

  @Test
  void checkpointSaver_endAtSavedStep_savesItOnce() {
    Saver saver = Saver.of(model.tf().graph());
    try (EventWriter events = EventWriter.create(folder)) {
      train(3, new CheckpointSaverHook(saver, events, model.globalStep(), Interval.ofSteps(3)));
    }

    assertThat(EventFolder.sessionLogs(folder)).containsExactly("CHECKPOINT 0", "CHECKPOINT 3");
  }

  @Test
  void checkpointListener_whoHasSeenEnough_stopsTraining() {
    List<String> calls = new ArrayList<>();
    CheckpointSaverListener listener =
        new CheckpointSaverListener() {
          @Override
          public void begin(Ops tf) {
            calls.add("begin");
          }

          @Override
          public void beforeSave(Session session, long globalStep) {
            calls.add("before " + globalStep);
          }

          @Override
          public boolean afterSave(Session session, long globalStep) {
            calls.add("after " + globalStep);
            return globalStep == 2;
          }

          @Override
          public void end(Session session, long globalStep) {
            calls.add("end " + globalStep);
          }
        };
    Saver saver = Saver.of(model.tf().graph());
    try (EventWriter events = EventWriter.create(folder)) {
      train(
          100,
          new CheckpointSaverHook(
              saver, events, model.globalStep(), Interval.ofSteps(2), List.of(listener)));
    }

    assertThat(calls)
        .containsExactly("begin", "before 0", "after 0", "before 2", "after 2", "end 2");
  }

  @Test
  void summarySaver_bySteps_writesTheFirstAndThenApart() {
    Summaries.scalar(model.tf(), "loss", model.loss());
    Summaries.histogram(model.tf(), "weights", model.w().value());
    Output all = Summaries.mergeAll(model.tf()).orElseThrow();
    try (EventWriter events = EventWriter.create(folder)) {
      train(8, new SummarySaverHook(all, events, model.globalStep(), Interval.ofSteps(3)));
    }

    assertThat(EventFolder.stepsOf(folder, "loss")).containsExactly(1L, 4L, 7L);
    assertThat(EventFolder.stepsOf(folder, "weights")).containsExactly(1L, 4L, 7L);
    assertThat(EventFolder.sessionLogs(folder)).containsExactly("START 1");
  }

  @Test
  void stepCounter_bySteps_writesTheSpeed() {
    try (EventWriter events = EventWriter.create(folder)) {
      train(7, new StepCounterHook(events, model.globalStep(), Interval.ofSteps(3)));
    }

    assertThat(EventFolder.stepsOf(folder, "global_step/sec")).containsExactly(4L, 7L);
    assertThat(EventFolder.read(folder))
        .filteredOn(Event::hasSummary)
        .allMatch(e -> e.getSummary().getValue(0).getSimpleValue() > 0);
  }

  @Test
  void profiler_bySteps_writesTimelinesAndRunMetadata() throws Exception {
    try (EventWriter events = EventWriter.create(folder)) {
      train(5, new ProfilerHook(events, model.globalStep(), Interval.ofSteps(3)));
    }

    assertThat(folder.resolve("timeline-3.json")).content().contains("traceEvents");
    List<Event> profiles =
        EventFolder.read(folder).stream().filter(Event::hasTaggedRunMetadata).toList();
    assertThat(profiles)
        .extracting(e -> e.getTaggedRunMetadata().getTag())
        .containsExactly("step_3");
    RunMetadata metadata =
        RunMetadata.parseFrom(profiles.get(0).getTaggedRunMetadata().getRunMetadata());
    assertThat(metadata.getStepStats().getDevStats(0).getNodeStatsCount()).isPositive();
  }

  private void train(int steps, SessionRunHook hook) {
    List<SessionRunHook> hooks = List.of(hook, StopAtStepHook.lastStep(model.globalStep(), steps));
    try (MonitoredSession session = SingularMonitoredSession.open(model.tf(), hooks)) {
      session.repeatUntilStop(s -> s.run(model.train()));
    }
  }
}
