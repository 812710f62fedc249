package dev.tributary.train.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.ops.Variable;
import dev.tributary.record.EventReader;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.hook.NanTensorHook;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.model.Summaries;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.queue.InputProducers;
import dev.tributary.train.queue.ProducerOptions;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.testing.CheckpointWatch;
import dev.tributary.train.testing.EventFolder;
import dev.tributary.train.testing.FlakySession;
import dev.tributary.train.testing.TinyModel;
import dev.tributary.train.testing.TrainingCluster;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.Event;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SupervisorTest {
  @TempDir Path logdir;

  @Test
  void run_twice_goesOnFromTheLastCheckpoint() {
    Model first = Model.build(Ops.create());
    first.supervisor(chief()).run("local", managed -> first.train(managed, 3));
    Model second = Model.build(Ops.create());
    List<Long> steps = new ArrayList<>();

    second
        .supervisor(chief())
        .run(
            "local",
            managed -> {
              steps.add(second.step(managed.session()));
              second.train(managed, 2);
              steps.add(second.step(managed.session()));
            });

    assertThat(steps).containsExactly(3L, 5L);
    assertThat(Saver.latestCheckpoint(logdir)).contains(logdir.resolve("model.ckpt-5"));
  }

  @Test
  void run_byChief_writesGraphEventsAndCheckpoints() throws IOException {
    Model model = Model.build(Ops.create());
    model.supervisor(chief()).run("local", managed -> model.train(managed, 3));

    List<Event> events = events();
    assertThat(Files.readString(logdir.resolve("graph.pbtxt"))).contains("VarHandleOp");
    assertThat(events.get(0).getFileVersion()).isEqualTo("brain.Event:2");
    assertThat(events).anyMatch(e -> !e.getGraphDef().isEmpty());
    assertThat(events)
        .filteredOn(Event::hasSessionLog)
        .extracting(e -> e.getSessionLog().getStatus().name() + " " + e.getStep())
        .startsWith("START 0")
        .contains("CHECKPOINT 3")
        .endsWith("STOP 3");
  }

  @Test
  void of_graphIsFinal_refusesFurtherOperations() {
    Model model = Model.build(Ops.create());
    model.supervisor(chief());

    assertThatThrownBy(() -> model.tf().constant(1f))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("the graph is final");
  }

  @Test
  void run_logdirThatCannotBeWritten_isNamedAndNothingHangs() throws IOException {
    Path file = Files.createFile(logdir.resolve("file"));
    Model model = Model.build(Ops.create());
    Supervisor supervisor = model.supervisor(chief().withLogdir(file.resolve("log")));

    assertThatThrownBy(() -> supervisor.run("local", managed -> model.train(managed, 1)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void run_graphWithSummaries_writesThemToTheEnd() {
    Model model = Model.build(Ops.create());
    Summaries.scalar(model.tf(), "steps", model.step().value());
    model.supervisor(chief()).run("local", managed -> model.train(managed, 3));

    assertThat(EventFolder.stepsOf(logdir, "steps")).endsWith(3L);
    // A later mark would make readers discard what the program has written before.
    assertThat(EventFolder.sessionLogs(logdir)).startsWith("START 0");
    assertThat(EventFolder.sessionLogs(logdir)).filteredOn(l -> l.startsWith("START")).hasSize(1);
  }

  @Test
  void run_graphWithoutGlobalStep_savesWithoutANumber() {
    Ops tf = Ops.create();
    Variable w = VariableScope.of(tf).getVariable("w", Shape.of(1), Initializers.constant(1));
    Summaries.scalar(tf, "weight", tf.sum(w.value(), 0));
    Operation train = new GradientDescentOptimizer(0.125).minimize(tf, tf.sum(w.value(), 0));
    Supervisor supervisor = Supervisor.of(tf, chief());

    supervisor.run("local", managed -> managed.session().run(train));

    assertThat(Saver.latestCheckpoint(logdir)).contains(logdir.resolve("model.ckpt"));
    assertThat(EventFolder.stepsOf(logdir, "weight")).isNotEmpty().containsOnly(0L);
    supervisor.run(
        "local",
        managed -> {
          try (StepResult result = managed.session().runner().fetch(w.value()).run()) {
            assertThat(result.get(0).getFloat(0)).isEqualTo(0.875f);
          }
        });
  }

  @Test
  void run_summariesThatNeedFeeds_areLeftToTheProgram() {
    Model model = Model.build(Ops.create());
    Summaries.scalar(model.tf(), "fed", model.tf().placeholder(DataType.FLOAT, Shape.scalar()));
    model.supervisor(chief().withoutSummaries()).run("local", managed -> model.train(managed, 3));

    assertThat(EventFolder.stepsOf(logdir, "fed")).isEmpty();
    assertThat(Saver.latestCheckpoint(logdir)).contains(logdir.resolve("model.ckpt-3"));
  }

  @Test
  void run_interruptedByLostTask_beginsAgainFromTheCheckpoint() {
    Model model = Model.build(Ops.create());
    Saver saver = model.saver();
    List<Long> starts = new ArrayList<>();

    model
        .supervisor(chief())
        .run(
            "local",
            managed -> {
              starts.add(model.step(managed.session()));
              if (starts.size() == 1) {
                // Otherwise the supervisor's own first checkpoint might become the latest after
                // all.
                CheckpointWatch.awaitLatest(logdir.resolve("model.ckpt-0"));
              }
              model.train(managed, 2);
              if (starts.size() == 1) {
                saver.save(managed.session(), logdir.resolve("model.ckpt"), 2);
                model.train(managed, 5);
                throw new TributaryException(ErrorCode.UNAVAILABLE, "a task is gone");
              }
            });

    assertThat(starts).containsExactly(0L, 2L);
    assertThat(Saver.latestCheckpoint(logdir)).contains(logdir.resolve("model.ckpt-4"));
  }

  /** A task may be lost at any step: while the model is restored, saved, trained, or at the end. */
  @Test
  void run_taskLostAtTheNthStep_trainsToTheEnd() {
    int lostSessions = 0;
    for (int steps = 0; steps < 24; steps++) {
      Model model = Model.build(Ops.create());
      AtomicInteger stepsLeft = new AtomicInteger(steps);
      AtomicInteger sessions = new AtomicInteger();
      Supplier<Session> opener =
          () -> {
            sessions.incrementAndGet();
            return new FlakySession(Session.local(model.tf().graph()), stepsLeft);
          };

      Supervisor.of(
              model.tf(),
              chief()
                  .withLogdir(logdir.resolve("log" + steps))
                  .withWaits(Duration.ofMillis(1), Duration.ofSeconds(20)))
          .run(opener, managed -> model.train(managed, 3));

      assertThat(sessions.get()).as("sessions, the task lost at step %d", steps).isBetween(1, 2);
      lostSessions += sessions.get() - 1;
    }
    assertThat(lostSessions).isGreaterThan(8);
  }

  @Test
  void run_variablesLostWithTheirTask_beginsAgain() {
    Model model = Model.build(Ops.create());
    Operation lose = model.loss();
    int[] begun = {0};

    model
        .supervisor(chief())
        .run(
            "local",
            managed -> {
              if (begun[0]++ == 0) {
                managed.session().run(lose);
                throw TributaryException.failedPrecondition("the weight has no value");
              }
            });

    assertThat(begun[0]).isEqualTo(2);
  }

  @Test
  void run_threadBesideMeetsLostVariables_beginsAgain() {
    Ops tf = Ops.create();
    Model model = Model.build(tf);
    Operation lose = model.loss();
    Output next = emptyQueue(tf).dequeue().get(0);
    int[] begun = {0};

    model
        .supervisor(chief())
        .run(
            "local",
            managed -> {
              if (begun[0]++ == 0) {
                managed.session().run(lose);
                managed
                    .coordinator()
                    .requestStop(TributaryException.failedPrecondition("the weight has no value"));
                managed.session().runner().fetch(next).run();
              }
            });

    assertThat(begun[0]).isEqualTo(2);
  }

  /** A failure is not judged by its message. */
  @Test
  void run_failedPreconditionWhileAllVariablesHaveValues_isThrown() {
    Model model = Model.build(Ops.create());
    Supervisor supervisor = model.supervisor(chief());
    int[] begun = {0};

    assertThatThrownBy(
            () ->
                supervisor.run(
                    "local",
                    managed -> {
                      assertThat(begun[0]++).isZero();
                      throw TributaryException.failedPrecondition("an uninitialized device");
                    }))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("an uninitialized device");
  }

  @Test
  void run_programThatFails_throwsItAndSavesNothingMore() {
    Model model = Model.build(Ops.create());
    Supervisor supervisor = model.supervisor(chief());

    assertThatThrownBy(
            () ->
                supervisor.run(
                    "local",
                    managed -> {
                      throw TributaryException.invalidArgument("bad batch");
                    }))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("bad batch");
    assertThat(Saver.latestCheckpoint(logdir).map(Path::getFileName).map(Path::toString))
        .isIn(Optional.empty(), Optional.of("model.ckpt-0"));
  }

  @Test
  void run_endOfInput_isAGoodEnd() {
    Model model = Model.build(Ops.create());

    model
        .supervisor(chief())
        .run(
            "local",
            managed -> {
              model.train(managed, 4);
              throw TributaryException.outOfRange("the input has ended");
            });

    assertThat(Saver.latestCheckpoint(logdir)).contains(logdir.resolve("model.ckpt-4"));
  }

  @Test
  void run_threadBesideFails_tellsIt() {
    Model model = Model.build(Ops.create());
    Supervisor supervisor = model.supervisor(chief());

    assertThatThrownBy(
            () ->
                supervisor.run(
                    "local",
                    managed ->
                        managed
                            .coordinator()
                            .requestStop(TributaryException.invalidArgument("no input file"))))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("no input file");
  }

  /** A step may wait for what only the thread would have done, and for no task that is gone. */
  @Test
  void run_threadBesideLosesATask_endsTheStepThatWaitsAndBeginsAgain() {
    Ops tf = Ops.create();
    Model model = Model.build(tf);
    Output next = emptyQueue(tf).dequeue().get(0);
    int[] begun = {0};

    model
        .supervisor(chief())
        .run(
            "local",
            managed -> {
              if (begun[0]++ == 0) {
                managed
                    .coordinator()
                    .loop(
                        "loser",
                        Duration.ZERO,
                        () -> {
                          throw new TributaryException(ErrorCode.UNAVAILABLE, "ps 1 is gone");
                        });
                managed.session().runner().fetch(next).run();
              }
            });

    assertThat(begun[0]).isEqualTo(2);
  }

  @Test
  void run_threadBesideFails_endsTheStepThatWaitsWithItsFailure() {
    Ops tf = Ops.create();
    Model model = Model.build(tf);
    Output next = emptyQueue(tf).dequeue().get(0);
    Supervisor supervisor = model.supervisor(chief());

    assertThatThrownBy(
            () ->
                supervisor.run(
                    "local",
                    managed -> {
                      managed
                          .coordinator()
                          .loop(
                              "failing",
                              Duration.ZERO,
                              () -> {
                                throw TributaryException.invalidArgument("a bad record");
                              });
                      managed.session().runner().fetch(next).run();
                    }))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("a bad record");
  }

  private static Queue emptyQueue(Ops tf) {
    return tf.queues.fifoQueue(QueueOptions.of(1, DataType.INT32).withShapes(Shape.scalar()));
  }

  @Test
  void run_secondChiefOnOneLogdir_isRefused() {
    Model first = Model.build(Ops.create());
    Model second = Model.build(Ops.create());
    Supervisor other = second.supervisor(chief());

    first
        .supervisor(chief())
        .run(
            "local",
            managed ->
                assertThatThrownBy(() -> other.run("local", m -> {}))
                    .isInstanceOfSatisfying(
                        TributaryException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS))
                    .hasMessageContaining(logdir.toString()));
  }

  @Test
  void waitForSession_withoutChief_givesUpAndNamesWhatIsMissing() {
    Model model = Model.build(Ops.create());
    Supervisor supervisor =
        Supervisor.of(
            model.tf,
            SupervisorOptions.worker().withWaits(Duration.ofMillis(10), Duration.ofMillis(50)));

    assertThatThrownBy(() -> supervisor.run("local", managed -> {}))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
        .hasMessageContaining("w, global_step");
  }

  @Test
  void hooks_ofTheProgram_areToldOfEachSessionAndOfTheEnd() {
    TinyModel model = TinyModel.build(Ops.create());
    List<String> calls = new ArrayList<>();
    SessionRunHook hook =
        new SessionRunHook() {
          @Override
          public boolean actsAroundSteps() {
            return false;
          }

          @Override
          public void begin(Ops tf) {
            tf.noOp();
            calls.add("begin");
          }

          @Override
          public void afterCreateSession(Session session, Coordinator coordinator) {
            calls.add("session");
          }

          @Override
          public void end(Session session) {
            calls.add("end at " + model.step(session));
          }
        };

    Supervisor.of(model.tf(), chief().withHooks(hook))
        .run(
            "local",
            managed -> {
              calls.add("program");
              managed.session().run(model.train());
              if (calls.size() < 4) {
                throw new TributaryException(ErrorCode.ABORTED, "the task is gone");
              }
            });

    assertThat(calls)
        .containsExactly("begin", "session", "program", "session", "program", "end at 1");
  }

  /** Such as a hook that waits for a variable which nobody initializes. */
  @Test
  void sessions_thatAreAllLostBeforeTraining_endWithTheReason() {
    TinyModel model = TinyModel.build(Ops.create());
    SupervisorOptions options =
        chief()
            .withWaits(Duration.ofMillis(10), Duration.ofMillis(50))
            .withHooks(losing("nobody initializes v"));

    assertThatThrownBy(() -> Supervisor.of(model.tf(), options).run("local", managed -> {}))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
        .hasMessageContaining("nobody initializes v");
  }

  private static SessionRunHook losing(String reason) {
    return new SessionRunHook() {
      @Override
      public boolean actsAroundSteps() {
        return false;
      }

      @Override
      public void afterCreateSession(Session session, Coordinator coordinator) {
        throw new TributaryException(ErrorCode.ABORTED, reason);
      }
    };
  }

  @Test
  void hooks_thatActAroundSteps_areRefused() {
    TinyModel model = TinyModel.build(Ops.create());

    assertThatThrownBy(() -> chief().withHooks(NanTensorHook.failing(model.loss())))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageContaining("NanTensorHook acts around steps")
        .hasMessageContaining("MonitoredTrainingSession");
    model.tf().graph().close();
  }

  @Test
  void waitForSession_localInitNeedsWhatTheChiefMakes_isRepeated() {
    Ops tf = Ops.create();
    Variable shared = tf.variable("shared", tf.constant(new long[2]));
    Operation join =
        tf.state.resourceScatterUpdate(shared.handle(), tf.constant(0), tf.constant(1L));
    SessionManager sessions =
        new SessionManager(Scaffold.defaults().withLocalInitOp(join))
            .withWaits(Duration.ofMillis(10), Duration.ofMillis(50));

    assertThatThrownBy(() -> sessions.waitForSession(() -> Session.local(tf.graph())))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
        .hasMessageContaining("shared");
  }

  @Test
  void prepareSession_taskThatComesLate_isWaitedFor() {
    Model model = Model.build(Ops.create());
    int[] calls = new int[1];
    Supplier<Session> opener =
        () -> {
          if (calls[0]++ < 2) {
            throw new TributaryException(ErrorCode.UNAVAILABLE, "not yet");
          }
          return Session.local(model.tf.graph());
        };

    model.supervisor(SupervisorOptions.chief()).run(opener, managed -> model.train(managed, 1));

    assertThat(calls[0]).isEqualTo(3);
  }

  @Test
  void workers_startedBeforeTheChief_trainOneModelTogether() throws Exception {
    int workers = 3;
    try (TrainingCluster cluster = TrainingCluster.start(1, workers)) {
      ExecutorService threads = Executors.newFixedThreadPool(workers);
      List<Future<?>> ends = new ArrayList<>();
      for (int i = workers - 1; i >= 0; i--) {
        int task = i;
        ends.add(threads.submit(() -> trainInCluster(cluster, task)));
      }
      threads.shutdown();
      for (Future<?> end : ends) {
        end.get(50, TimeUnit.SECONDS);
      }
    }

    Optional<Path> latest = Saver.latestCheckpoint(logdir);
    assertThat(latest).isPresent();
    Model after = Model.build(Ops.create());
    Saver saver = after.saver();
    try (Session session = Session.local(after.tf.graph())) {
      saver.restore(session, latest.get());
      assertThat(after.step(session)).isBetween(60L, 63L);
    }
  }

  @Test
  void run_parameterServerLost_inputQueuesOfTheWorkerGoOn() {
    try (TrainingCluster cluster = TrainingCluster.start(1, 1)) {
      Ops tf =
          Ops.create()
              .withDeviceFunction(ReplicaDeviceSetter.of(1).withWorkerDevice("/job:worker/task:0"));
      Model model = Model.build(tf);
      Output number =
          InputProducers.rangeInputProducer(tf, tf.constant(5), ProducerOptions.defaults())
              .dequeue()
              .get(0);
      List<Long> starts = new ArrayList<>();
      model
          .supervisor(chief())
          .run(
              cluster.target(0),
              managed -> {
                starts.add(model.step(managed.session()));
                for (int i = 0; i < 10; i++) {
                  managed.session().runner().target(model.train).fetch(number).run().close();
                }
                if (starts.size() == 1) {
                  cluster.restartParameterServer(0);
                  managed.session().run(model.train);
                }
              });

      assertThat(starts).containsExactly(0L, 0L);
    }
  }

  private void trainInCluster(TrainingCluster cluster, int task) {
    Ops tf = Ops.create();
    Model model =
        Model.build(
            tf.withDeviceFunction(
                ReplicaDeviceSetter.of(1).withWorkerDevice("/job:worker/task:" + task)));
    SupervisorOptions options = task == 0 ? chief() : SupervisorOptions.worker();
    model
        .supervisor(options)
        .run(
            cluster.target(task),
            managed -> {
              while (!managed.shouldStop() && model.step(managed.session()) < 60) {
                managed.session().run(model.train);
              }
            });
  }

  private SupervisorOptions chief() {
    return SupervisorOptions.chief()
        .withLogdir(logdir)
        .withSaveModelEvery(Duration.ofHours(1))
        .withStopGrace(Duration.ofSeconds(20));
  }

  private List<Event> events() throws IOException {
    Path file;
    try (Stream<Path> files = Files.list(logdir)) {
      file = files.filter(f -> f.toString().contains("tfevents")).findFirst().orElseThrow();
    }
    List<Event> events = new ArrayList<>();
    try (EventReader reader = EventReader.open(file)) {
      for (Optional<Event> e = reader.next(); e.isPresent(); e = reader.next()) {
        events.add(e.get());
      }
    }
    return events;
  }

  /** One weight that goes down by its rate in each step. */
  private record Model(Ops tf, Variable w, Variable step, Operation train) {
    static Model build(Ops tf) {
      Variable w = VariableScope.of(tf).getVariable("w", Shape.of(1), Initializers.constant(1));
      Variable step = GlobalStep.create(tf);
      Operation train = new GradientDescentOptimizer(0.1).minimize(tf, tf.sum(w.value(), 0), step);
      return new Model(tf, w, step, train);
    }

    Supervisor supervisor(SupervisorOptions options) {
      return Supervisor.of(tf, options);
    }

    Saver saver() {
      return Saver.of(tf.graph());
    }

    /** An operation after which the weight has no value. */
    Operation loss() {
      return tf.state.destroyResourceOp(w.handle(), true);
    }

    void train(ManagedSession managed, int steps) {
      for (int i = 0; i < steps; i++) {
        managed.session().run(train);
      }
    }

    long step(Session session) {
      try (StepResult result = session.runner().fetch(step.value()).run()) {
        return result.get(0).longValue();
      }
    }
  }
}
