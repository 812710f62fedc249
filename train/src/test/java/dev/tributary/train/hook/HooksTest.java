package dev.tributary.train.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.session.MonitoredSession;
import dev.tributary.train.session.SingularMonitoredSession;
import dev.tributary.train.testing.TinyModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hooks that write no files. */
@NoLeaks
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HooksTest {
  private final TinyModel model = TinyModel.build(Ops.create());

  @AfterEach
  void closeGraph() {
    model.tf().graph().close();
  }

  @Test
  void stopAtStep_lastStep_stopsThere() {
    assertThat(train(StopAtStepHook.lastStep(model.globalStep(), 5))).isEqualTo(5);
  }

  @Test
  void stopAtStep_numSteps_countsFromTheFirstSession() {
    assertThat(train(StopAtStepHook.numSteps(model.globalStep(), 4))).isEqualTo(4);
  }

  @Test
  void loggingTensor_bySteps_tellsTheFirstAndThenApart() {
    List<String> lines = new ArrayList<>();
    Output fed = model.tf().placeholder(DataType.INT64, Shape.scalar());
    Map<String, Output> tensors = new LinkedHashMap<>();
    tensors.put("x", fed);
    tensors.put("row", model.tf().constant(new float[10]));
    long[] next = {0};

    train(
        new FeedFnHook(() -> Map.of(fed, Tensor.scalar(++next[0]))),
        LoggingTensorHook.each(Interval.ofSteps(2), tensors).withLines(lines::add),
        StopAtStepHook.lastStep(model.globalStep(), 4));

    String row = ", row = [0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 ... [10]]";
    assertThat(lines).containsExactly("x = 1" + row, "x = 3" + row);
  }

  @Test
  void loggingTensor_atEnd_tellsOnce() {
    List<String> lines = new ArrayList<>();

    train(
        LoggingTensorHook.atEnd(Map.of("w", model.w().value())).withLines(lines::add),
        StopAtStepHook.lastStep(model.globalStep(), 4));

    assertThat(lines).containsExactly("w = [0.5]");
  }

  @Test
  void nanTensor_lossThatIsNotANumber_failsOrStops() {
    Output fed = model.tf().placeholder(DataType.FLOAT, Shape.scalar());
    Feeds nan = Feeds.of(fed, Float.NaN);
    try (MonitoredSession session = open(NanTensorHook.failing(fed))) {
      assertThatThrownBy(() -> session.run(nan, List.of()))
          .isInstanceOf(TributaryException.class)
          .hasMessageContaining("NaN");
    }
    try (MonitoredSession session = open(NanTensorHook.stopping(fed))) {
      session.run(nan, List.of()).close();
      assertThat(session.shouldStop()).isTrue();
    }
  }

  @Test
  void feedFn_eachStep_feedsWhatItGives() {
    Output fed = model.tf().placeholder(DataType.FLOAT, Shape.scalar());
    float[] next = {0};
    FeedFnHook hook = new FeedFnHook(() -> Map.of(fed, Tensor.scalar(++next[0])));
    try (MonitoredSession session = open(hook)) {
      for (float expected = 1; expected <= 3; expected++) {
        try (StepResult result = session.run(Feeds.none(), List.of(fed))) {
          assertThat(result.get(0).floatValue()).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void finalOps_goodEnd_areComputedOnce() {
    List<Float> values = new ArrayList<>();
    FinalOpsHook hook =
        new FinalOpsHook(List.of(model.loss()), results -> values.add(results.get(0).floatValue()));

    train(hook, StopAtStepHook.lastStep(model.globalStep(), 2));

    assertThat(values).containsExactly(0.75f);
  }

  @Test
  void globalStepWaiter_stepThatComesLater_beginsThen() throws Exception {
    List<Long> begun = new ArrayList<>();
    Thread[] others = new Thread[1];
    SessionRunHook otherWorkers =
        new SessionRunHook() {
          @Override
          public void afterCreateSession(Session session, Coordinator coordinator) {
            others[0] =
                new Thread(
                    () -> {
                      for (int i = 0; i < 5; i++) {
                        session.run(model.train());
                      }
                    });
            others[0].start();
          }
        };
    SessionRunHook observer =
        new SessionRunHook() {
          @Override
          public SessionRunArgs beforeRun(SessionRunContext context) {
            begun.add(model.step(context.session()));
            return SessionRunArgs.none();
          }
        };
    GlobalStepWaiterHook waiter =
        new GlobalStepWaiterHook(
            model.globalStep(), 5, Duration.ofMillis(1), Duration.ofSeconds(30));
    try (MonitoredSession session = open(otherWorkers, waiter, observer)) {
      session.run(model.train());
      others[0].join(30_000);
    }

    assertThat(begun).containsExactly(5L);
  }

  @Test
  void globalStepWaiter_stepThatNeverComes_isDeadlineExceeded() {
    GlobalStepWaiterHook waiter =
        new GlobalStepWaiterHook(model.globalStep(), 5, Duration.ofMillis(1), Duration.ofMillis(5));
    try (MonitoredSession session = open(waiter)) {
      assertThatThrownBy(() -> session.run(model.train()))
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
          .hasMessageContaining("global step 5");
    }
  }

  private MonitoredSession open(SessionRunHook... hooks) {
    return SingularMonitoredSession.open(model.tf(), List.of(hooks));
  }

  /** Trains until a hook says stop; gives the number of steps. */
  private int train(SessionRunHook... hooks) {
    int[] steps = {0};
    try (MonitoredSession session = open(hooks)) {
      session.repeatUntilStop(
          s -> {
            s.run(model.train());
            steps[0]++;
          });
    }
    return steps[0];
  }
}
