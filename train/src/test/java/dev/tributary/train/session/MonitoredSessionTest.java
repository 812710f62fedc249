package dev.tributary.train.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableDefinition;
import dev.tributary.record.EventWriter;
import dev.tributary.session.Feeds;
import dev.tributary.session.RunOptions;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.hook.CheckpointSaverHook;
import dev.tributary.train.hook.FeedFnHook;
import dev.tributary.train.hook.Interval;
import dev.tributary.train.hook.NanTensorHook;
import dev.tributary.train.hook.SessionRunArgs;
import dev.tributary.train.hook.SessionRunContext;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.SessionRunValues;
import dev.tributary.train.hook.StopAtStepHook;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.InputProducers;
import dev.tributary.train.queue.ProducerOptions;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.testing.TinyModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@NoLeaks
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MonitoredSessionTest {
  @TempDir Path folder;

  private final Ops tf = Ops.create();
  private final TinyModel model = TinyModel.build(tf);
  private final List<String> calls = new ArrayList<>();

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  @Test
  void hooks_inALife_areCalledInOrder() {
    try (MonitoredSession session = open(new Recorder("a"), new Recorder("b"))) {
      session.run(model.train());
    }

    assertThat(calls)
        .containsExactly(
            "a begin",
            "b begin",
            "a create 0",
            "b create 0",
            "a before",
            "b before",
            "a after",
            "b after",
            "a end",
            "b end");
  }

  @Test
  void run_afterRequestToStop_isRefused() {
    try (MonitoredSession session = open(StopAtStepHook.numSteps(model.globalStep(), 1))) {
      session.run(model.train());

      assertThat(session.shouldStop()).isTrue();
      assertThatThrownBy(() -> session.run(model.train())).isInstanceOf(TributaryException.class);
    }
  }

  @Test
  void run_withHooksThatFetch_givesOnlyWhatWasAskedFor() {
    try (MonitoredSession session = open(NanTensorHook.failing(model.loss()), new Recorder("a"));
        StepResult result = session.run(Feeds.none(), List.of(model.w().value()))) {
      assertThat(result).hasSize(1);
      assertThat(result.get(0).toFloats()).containsExactly(1);
    }
  }

  @Test
  void run_hookThatTraces_showsTheTraceToAll() {
    SessionRunHook tracing =
        new SessionRunHook() {
          @Override
          public SessionRunArgs beforeRun(SessionRunContext context) {
            calls.add("asked for " + context.originalArgs().targets().size());
            return SessionRunArgs.none().withOptions(RunOptions.defaults().withTrace());
          }

          @Override
          public void afterRun(SessionRunContext context, SessionRunValues values) {
            calls.add("traced " + values.trace().isPresent());
          }
        };
    try (MonitoredSession session = open(tracing)) {
      session.run(model.train());
    }

    assertThat(calls).containsExactly("asked for 1", "traced true");
  }

  @Test
  void run_javaValuesAsFeeds_reachTheStepThatHooksSee() {
    Output fed = tf.placeholder(DataType.FLOAT, Shape.of(2));
    Output doubled = tf.mul(fed, tf.constant(2f));
    Feeds feeds = Feeds.of(fed, new float[] {1, 2});
    try (MonitoredSession session = open(new Recorder("a"))) {
      assertThat(session.fetch(doubled, feeds).toFloats()).containsExactly(2, 4);
      session.run(doubled.operation(), feeds);
    }
    assertThat(calls.stream().filter("a after"::equals)).hasSize(2);
  }

  @Test
  void run_feedOfStepAndHook_isRefused() {
    Output fed = tf.placeholder(DataType.FLOAT, Shape.scalar());
    SessionRunHook feeding = new FeedFnHook(() -> Map.of(fed, Tensor.scalar(2f)));
    try (MonitoredSession session = open(feeding)) {
      assertThatThrownBy(() -> session.run(Feeds.of(fed, 1f), List.of(fed)))
          .isInstanceOf(TributaryException.class)
          .hasMessageContaining("fed twice");
    }
  }

  @Test
  void run_laterHookThatFails_givesBackWhatWasFed() {
    Output fed = tf.placeholder(DataType.FLOAT, Shape.scalar());
    SessionRunHook feeding = new FeedFnHook(() -> Map.of(fed, Tensor.scalar(2f)));
    try (MonitoredSession session = open(feeding, new Failing(1, ErrorCode.INTERNAL))) {
      assertThatThrownBy(() -> session.run(model.train())).isInstanceOf(TributaryException.class);
    }
  }

  @Test
  void run_taskLost_isRunAgainFromTheCheckpoint() {
    Saver saver = Saver.of(tf.graph());
    try (EventWriter events = EventWriter.create(folder)) {
      List<SessionRunHook> hooks =
          List.of(
              new CheckpointSaverHook(saver, events, model.globalStep(), Interval.ofSteps(3)),
              StopAtStepHook.lastStep(model.globalStep(), 7),
              new Recorder("a"),
              new Failing(6, ErrorCode.UNAVAILABLE));
      try (MonitoredSession session =
          MonitoredSession.open(tf, creator(Scaffold.defaults().withSaver(saver)), hooks)) {
        session.repeatUntilStop(s -> s.run(model.train()));
      }
    }

    assertThat(calls)
        .filteredOn(c -> c.contains("create"))
        .containsExactly("a create 0", "a create 3");
    assertThat(Saver.latestCheckpoint(folder)).contains(folder.resolve("model.ckpt-7"));
  }

  @Test
  void run_taskLostInASingularSession_fails() {
    try (MonitoredSession session =
        SingularMonitoredSession.open(tf, List.of(new Failing(1, ErrorCode.UNAVAILABLE)))) {
      assertThatThrownBy(() -> session.run(model.train()))
          .isInstanceOfSatisfying(
              TributaryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    }
  }

  @Test
  void afterCreateSession_taskLost_isTriedInANewSession() {
    int[] sessions = {0};
    SessionRunHook hook =
        new SessionRunHook() {
          @Override
          public void afterCreateSession(Session session, Coordinator coordinator) {
            if (++sessions[0] < 3) {
              throw new TributaryException(ErrorCode.ABORTED, "a task is gone");
            }
          }
        };
    try (MonitoredSession session = open(hook)) {
      session.run(model.train());
    }

    assertThat(sessions[0]).isEqualTo(3);
  }

  @Test
  void shouldStop_threadThatMetALostTask_isFalseAndTrainingGoesOn() {
    SessionRunHook hook = new ThreadFailure(new TributaryException(ErrorCode.UNAVAILABLE, "gone"));
    try (MonitoredSession session = open(new Recorder("a"), hook)) {
      assertThat(session.shouldStop()).isFalse();
      session.run(model.train());
    }

    assertThat(calls)
        .containsExactly("a begin", "a create 0", "a create 0", "a before", "a after", "a end");
  }

  @Test
  void run_stepThatFailsAfterALostTask_isRunAgain() {
    Failing failing = new Failing(1, ErrorCode.OUT_OF_RANGE);
    failing.meanwhile = new TributaryException(ErrorCode.UNAVAILABLE, "gone");
    try (MonitoredSession session = open(new Recorder("a"), failing)) {
      session.run(model.train());
    }

    assertThat(calls).filteredOn(c -> c.contains("create")).hasSize(2);
  }

  @Test
  void close_threadThatFailed_throwsWhy() {
    SessionRunHook hook = new ThreadFailure(TributaryException.invalidArgument("no input file"));
    MonitoredSession session = open(hook);

    assertThat(session.shouldStop()).isTrue();
    assertThatThrownBy(session::close)
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("no input file");
  }

  @Test
  void close_afterTheEndOfInput_letsHooksFinish() {
    try (MonitoredSession session =
        open(new Recorder("a"), new Failing(3, ErrorCode.OUT_OF_RANGE))) {
      session.repeatUntilStop(s -> s.run(model.train()));
    }

    assertThat(calls).contains("a end");
  }

  @Test
  void queueRunners_inputWithAnEnd_feedAllStepsUpToIt() {
    Output number =
        InputProducers.rangeInputProducer(
                tf, tf.constant(5), ProducerOptions.defaults().withoutShuffle().withEpochs(2))
            .dequeue()
            .get(0);
    List<Integer> numbers = new ArrayList<>();
    try (MonitoredSession session = open(new Recorder("a"))) {
      session.repeatUntilStop(
          s -> {
            try (StepResult result = s.run(SessionRunArgs.fetching(number))) {
              numbers.add(result.get(0).intValue());
            }
          });
    }

    assertThat(numbers).containsExactly(0, 1, 2, 3, 4, 0, 1, 2, 3, 4);
    assertThat(calls).contains("a end");
  }

  @Test
  void queueRunners_inputWithoutAnEnd_stopWithTheSession() {
    Output number =
        InputProducers.rangeInputProducer(tf, tf.constant(5), ProducerOptions.defaults())
            .dequeue()
            .get(0);
    Set<Thread> before = queueRunnerThreads();
    try (MonitoredSession session = open(StopAtStepHook.numSteps(model.globalStep(), 3))) {
      assertThat(queueRunnerThreads()).anyMatch(thread -> !before.contains(thread));
      session.repeatUntilStop(s -> s.run(model.train(), number.operation()));
    }

    assertThat(before).containsAll(queueRunnerThreads());
  }

  @Test
  void close_failureThatTheCallerGotOver_letsHooksFinish() {
    try (MonitoredSession session =
        open(new Recorder("a"), new Failing(1, ErrorCode.INVALID_ARGUMENT))) {
      assertThatThrownBy(() -> session.run(model.train())).isInstanceOf(TributaryException.class);
      session.run(model.train());
    }

    assertThat(calls).contains("a end");
  }

  @Test
  void close_afterAFailure_doesNot() {
    MonitoredSession session = open(new Recorder("a"));

    assertThatThrownBy(
            () ->
                session.repeatUntilStop(
                    s -> {
                      throw new IllegalStateException("a mistake");
                    }))
        .isInstanceOf(IllegalStateException.class);
    session.close();
    session.close();

    assertThat(calls).doesNotContain("a end");
  }

  @Test
  void run_variablesLostWithTheirTask_continuesInANewSession() {
    Operation lose = tf.state.destroyResourceOp(model.w().handle(), true);
    try (MonitoredSession session = open(new Recorder("a"))) {
      session.run(lose);
      session.run(model.train());
    }

    assertThat(calls).filteredOn(call -> call.startsWith("a create")).hasSize(2);
  }

  @Test
  void run_variableThatNobodyInitialises_failsAndDoesNotTryForEver() {
    Variable forgotten =
        tf.state.variable(
            VariableDefinition.of("forgotten", DataType.FLOAT, Shape.scalar(), List.of()),
            beside -> beside.constant(DataType.FLOAT, 0));
    Operation reading = forgotten.value().operation();
    try (MonitoredSession session = open()) {
      assertThatThrownBy(() -> session.run(reading))
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION));
    }
  }

  private static Set<Thread> queueRunnerThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("queue-runner-"))
        .collect(Collectors.toSet());
  }

  private MonitoredSession open(SessionRunHook... hooks) {
    return MonitoredSession.open(tf, creator(Scaffold.defaults()), List.of(hooks));
  }

  private SessionCreator creator(Scaffold scaffold) {
    return SessionCreator.chief(
        () -> scaffold.completed(tf).setup().withWaits(Duration.ofMillis(1), Duration.ofSeconds(9)),
        () -> Session.local(tf.graph()),
        Optional.of(folder));
  }

  /** Takes note of its calls. */
  private final class Recorder implements SessionRunHook {
    private final String name;

    Recorder(String name) {
      this.name = name;
    }

    @Override
    public void begin(Ops ops) {
      calls.add(name + " begin");
    }

    @Override
    public void afterCreateSession(Session session, Coordinator coordinator) {
      calls.add(name + " create " + model.step(session));
    }

    @Override
    public SessionRunArgs beforeRun(SessionRunContext context) {
      calls.add(name + " before");
      return SessionRunArgs.fetching(model.globalStep().value());
    }

    @Override
    public void afterRun(SessionRunContext context, SessionRunValues values) {
      assertThat(values.results()).hasSize(1);
      calls.add(name + " after");
    }

    @Override
    public void end(Session session) {
      calls.add(name + " end");
    }
  }

  /** Fails before the n-th step, after something failed in a thread, if that is set. */
  private static final class Failing implements SessionRunHook {
    private final int step;
    private final ErrorCode code;
    private TributaryException meanwhile;
    private Coordinator coordinator;
    private int runs;

    Failing(int step, ErrorCode code) {
      this.step = step;
      this.code = code;
    }

    @Override
    public void afterCreateSession(Session session, Coordinator newCoordinator) {
      coordinator = newCoordinator;
    }

    @Override
    public SessionRunArgs beforeRun(SessionRunContext context) {
      if (++runs == step) {
        if (meanwhile != null) {
          coordinator.requestStop(meanwhile);
        }
        throw new TributaryException(code, "the step fails");
      }
      return SessionRunArgs.none();
    }
  }

  /** Something fails in a thread beside the first session. */
  private static final class ThreadFailure implements SessionRunHook {
    private final TributaryException failure;
    private boolean done;

    ThreadFailure(TributaryException failure) {
      this.failure = failure;
    }

    @Override
    public void afterCreateSession(Session session, Coordinator coordinator) {
      if (!done) {
        done = true;
        coordinator.requestStop(failure);
      }
    }
  }
}
