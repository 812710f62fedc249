package dev.tributary.train.monitored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.GraphVariable;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.session.SessionManager;
import dev.tributary.train.session.SessionSetup;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NoLeaks
class MonitoredSessionTest {
  @TempDir Path folder;

  private final Ops tf = Ops.create();
  private final GraphVariable w =
      VariableScope.of(tf).getVariable("w", Shape.of(1), Initializers.constant(1));
  private final GraphVariable step = GlobalStep.create(tf);
  private final Output loss = tf.reduce.sum(w.value(), 0);
  private final Operation train = new GradientDescentOptimizer(0.1).minimize(tf, loss, step);
  private final Saver saver = Saver.of(tf);
  private final SessionManager sessions =
      new SessionManager(
          SessionSetup.empty().withInit(Variables.globalInitializer(tf)).withSaver(saver));

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  @Test
  void run_untilHookStops_makesSoManySteps() {
    List<SessionRunHook> hooks = List.of(StopAtStepHook.numSteps(step, 5));
    int steps = 0;
    try (MonitoredSession session = MonitoredSession.open(creator(), hooks)) {
      while (!session.shouldStop()) {
        session.run(Map.of(), List.of(), List.of(train)).close();
        steps++;
      }
      assertThatThrownBy(() -> session.run(Map.of(), List.of(), List.of(train)))
          .isInstanceOf(TributaryException.class);
    }

    assertThat(steps).isEqualTo(5);
  }

  @Test
  void run_withHooksThatFetch_givesOnlyWhatWasAskedFor() {
    List<SessionRunHook> hooks =
        List.of(
            NanTensorHook.failing(loss),
            new LoggingTensorHook(Map.of("w", w.value()), StepTimer.everySteps(2)));
    try (MonitoredSession session = MonitoredSession.open(creator(), hooks);
        StepResult result = session.run(Map.of(), List.of(w.value()), List.of())) {
      assertThat(result).hasSize(1);
      assertThat(result.get(0).toFloats()).containsExactly(1);
    }
  }

  @Test
  void run_taskLost_isRunAgainFromTheCheckpoint() {
    List<Long> starts = new ArrayList<>();
    SessionRunHook failing =
        new SessionRunHook() {
          private int runs;

          @Override
          public void afterCreateSession(Session session, Coordinator coordinator) {
            starts.add(GlobalSteps.read(session, step));
          }

          @Override
          public SessionRunArgs beforeRun(SessionRunContext context) {
            if (++runs == 6) {
              throw new TributaryException(ErrorCode.UNAVAILABLE, "a task is gone");
            }
            return SessionRunArgs.none();
          }
        };
    List<SessionRunHook> hooks =
        List.of(
            new CheckpointSaverHook(saver, folder, step, StepTimer.everySteps(3)),
            StopAtStepHook.lastStep(step, 7),
            failing);
    try (MonitoredSession session = MonitoredSession.open(creator(), hooks)) {
      while (!session.shouldStop()) {
        session.run(Map.of(), List.of(), List.of(train)).close();
      }
    }

    assertThat(starts).containsExactly(0L, 3L);
    assertThat(Saver.latestCheckpoint(folder)).contains(folder.resolve("model.ckpt-7"));
  }

  @Test
  void run_lossThatIsNotANumber_failsOrStops() {
    Output fed = tf.placeholder(DataType.FLOAT, Shape.scalar());
    try (Tensor nan = Tensor.scalar(Float.NaN)) {
      try (MonitoredSession session =
          MonitoredSession.open(creator(), List.of(NanTensorHook.failing(fed)))) {
        assertThatThrownBy(() -> session.run(Map.of(fed, nan), List.of(), List.of()))
            .isInstanceOf(TributaryException.class)
            .hasMessageContaining("NaN");
      }
      try (MonitoredSession session =
          MonitoredSession.open(creator(), List.of(NanTensorHook.stopping(fed)))) {
        session.run(Map.of(fed, nan), List.of(), List.of()).close();
        assertThat(session.shouldStop()).isTrue();
      }
    }
  }

  @Test
  void run_feedOfStepAndHook_isRefused() {
    Output fed = tf.placeholder(DataType.FLOAT, Shape.scalar());
    try (Tensor value = Tensor.scalar(1f)) {
      SessionRunHook feeding =
          new SessionRunHook() {
            @Override
            public SessionRunArgs beforeRun(SessionRunContext context) {
              return new SessionRunArgs(List.of(), Map.of(fed, value));
            }
          };
      try (MonitoredSession session = MonitoredSession.open(creator(), List.of(feeding))) {
        assertThatThrownBy(() -> session.run(Map.of(fed, value), List.of(fed), List.of()))
            .isInstanceOf(TributaryException.class)
            .hasMessageContaining("fed twice");
      }
    }
  }

  @Test
  void timer_bySteps_triggersAtFirstAndThenApart() {
    StepTimer timer = StepTimer.everySteps(3);

    assertThat(timer.shouldTrigger(7)).isTrue();
    timer.triggered(7);
    assertThat(timer.shouldTrigger(7)).isFalse();
    assertThat(timer.shouldTrigger(9)).isFalse();
    assertThat(timer.shouldTrigger(10)).isTrue();
  }

  @Test
  void timer_byTime_triggersWhenItHasPassed() {
    long[] now = {0};
    StepTimer timer =
        new StepTimer(Optional.of(Duration.ofNanos(100)), OptionalLong.empty(), () -> now[0]);
    timer.triggered(1);

    now[0] = 99;
    assertThat(timer.shouldTrigger(2)).isFalse();
    now[0] = 100;
    assertThat(timer.shouldTrigger(2)).isTrue();
    assertThat(timer.shouldTrigger(1)).isFalse();
  }

  private Supplier<Session> creator() {
    return () -> sessions.prepareSession(() -> Session.local(tf.graph()), Optional.of(folder));
  }
}
