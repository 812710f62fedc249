package dev.tributary.cluster.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.cluster.server.TimeLimits;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.RunOptions;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A process that is stopped keeps its connections open, and says nothing. */
@Tag("processes")
@Timeout(120)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "no process can be stopped and resumed")
class FrozenTaskTest {
  private static final Duration SILENCE = Duration.ofSeconds(5);
  private static final TaskName MASTER = new TaskName("master", 0);
  private static final TaskName WORKER = new TaskName("worker", 0);

  private static final RunOptions SHORT = RunOptions.defaults().withTimeout(Duration.ofSeconds(1));

  private final Ops tf = Ops.create();

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @Test
  void step_workerFreezes_endsWithinFiveSecondsAndNamesIt() throws Exception {
    ClusterSpec cluster = ServersForTest.clusterOnFreePorts(Map.of("master", 1, "worker", 1));
    Output endless = endlessOn(WORKER);
    Output one = tf.withDevice(WORKER.toString()).constant(1f);
    try (TaskInProcess worker = TaskInProcess.start(cluster, WORKER, SILENCE);
        Server master = Server.start(ServersForTest.options(cluster, MASTER));
        Session session = Session.open(master.target(), tf.graph())) {
      worker.awaitReady();
      // Makes the kind of step ready, so that what freezes is the step itself.
      assertThat(timeIsOver(session, endless))
          .hasMessageContaining("not finished: [")
          .hasMessageContaining(WORKER + " (last heard from 0.");
      RunningStep step = session.runner().fetch(endless).start();

      worker.freeze();
      long start = System.nanoTime();
      TributaryException failure = catchThrowableOfType(TributaryException.class, step::await);

      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(6));
      assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
      assertThat(failure)
          .hasMessageContaining(WORKER + " at ")
          .hasMessageContaining("silent, last heard from")
          // The step waits for the end of the graph there, and for the value that it sends.
          .hasMessageFindingMatch("(RunGraph|RecvTensor) waits for it");

      worker.resume();
      try (Session fresh = Session.open(master.target(), tf.graph());
          StepResult result = fresh.runner().fetch(one).run()) {
        assertThat(result.get(0).floatValue()).isEqualTo(1f);
      }
    }
  }

  @Test
  void close_workerFrozenDuringAStep_takesTheCloseTimeoutAtMost() throws Exception {
    ClusterSpec cluster = ServersForTest.clusterOnFreePorts(Map.of("master", 1, "worker", 1));
    Output endless = endlessOn(WORKER);
    Duration unnoticed = Duration.ofMinutes(1);
    TimeLimits times = TimeLimits.defaults().withSilence(unnoticed);
    try (TaskInProcess worker = TaskInProcess.start(cluster, WORKER, unnoticed);
        Server master = Server.start(ServersForTest.options(cluster, MASTER).withTimes(times))) {
      worker.awaitReady();
      Session session = Session.open(master.target(), tf.graph());
      timeIsOver(session, endless);
      RunningStep step = session.runner().fetch(endless).start();
      worker.freeze();
      long start = System.nanoTime();

      session.close();

      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isLessThan(times.close().plusSeconds(3));
      assertThat(catchThrowableOfType(TributaryException.class, step::await).code())
          .isEqualTo(ErrorCode.CANCELLED);
      worker.resume();
    }
  }

  @Test
  void step_masterFreezes_clientIsTold() throws Exception {
    ClusterSpec cluster = ServersForTest.clusterOnFreePorts(Map.of("master", 1));
    Output endless = endlessOn(MASTER);
    SessionOptions options =
        SessionOptions.defaults()
            .withCluster(
                ClusterOptions.defaults()
                    .withConnectTimeout(Duration.ofSeconds(60)) // Its process takes a while.
                    .withSilenceLimit(Duration.ofSeconds(2)));
    try (TaskInProcess master = TaskInProcess.start(cluster, MASTER, SILENCE);
        Session session = Session.open("grpc://" + cluster.address(MASTER), tf.graph(), options)) {
      RunningStep step = session.runner().fetch(endless).start();

      master.freeze();
      TributaryException failure = catchThrowableOfType(TributaryException.class, step::await);

      assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
      assertThat(failure)
          .hasMessageContaining("the master at " + cluster.address(MASTER))
          .hasMessageContaining("RunStep waits for it");
    }
  }

  @Test
  void step_timeIsOver_namesTasksAndWhatTheyWaitFor() throws Exception {
    try (ServersForTest servers = ServersForTest.start(Map.of("ps", 1, "worker", 1))) {
      Output slow = endlessOn(new TaskName("ps", 0));
      Output late = tf.withDevice(WORKER.toString()).neg(slow);
      try (Session session = Session.open(servers.target("worker", 0), tf.graph())) {
        TributaryException failure = timeIsOver(session, late);

        assertThat(failure.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
        assertThat(failure)
            .hasMessageContaining("not finished: [/job:ps/replica:0/task:0 (last heard from 0.")
            .hasMessageContaining(WORKER + " waits: RecvTensor of ")
            .hasMessageContaining("key /job:ps/replica:0/task:0/device:CPU:0;");
      }
    }
  }

  /** The failure of a short step. On a slow machine the first ones may end before tasks have it. */
  private static TributaryException timeIsOver(Session session, Output fetch) {
    StepRunner runner = session.runner().fetch(fetch).options(SHORT);
    TributaryException failure = catchThrowableOfType(TributaryException.class, runner::run);
    for (int i = 0; i < 10 && !failure.getMessage().contains("not finished"); i++) {
      failure = catchThrowableOfType(TributaryException.class, runner::run);
    }
    return failure;
  }

  private Output endlessOn(TaskName task) {
    Ops there = tf.withDevice(task.toString());
    return there
        .flow
        .whileLoop(
            List.of(there.constant(0f)),
            (scope, vars) -> scope.less(vars.get(0), scope.constant(1f)),
            (scope, vars) -> List.of(scope.mul(vars.get(0), scope.constant(0.5f))))
        .get(0);
  }
}
