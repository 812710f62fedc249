package dev.tributary.cluster.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.DeviceGroup;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tasks that are their own masters run the same graph and meet in collectives; one of them is lost.
 */
@Tag("processes")
@Timeout(120)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "no process can be stopped and resumed")
class LostRankTest {
  private static final TaskName FIRST = new TaskName("worker", 0);
  private static final TaskName SECOND = new TaskName("worker", 1);
  private static final int STEPS = 20;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sum_otherRankIsLost_endsWithItsNameAndWorksWhenItIsBack(boolean frozen) throws Exception {
    ClusterSpec cluster = ServersForTest.clusterOnFreePorts(Map.of("worker", 2));
    Duration silence = Duration.ofSeconds(5);
    try (Server first = Server.start(ServersForTest.options(cluster, FIRST));
        TaskInProcess second = TaskInProcess.start(cluster, SECOND, silence);
        Rank own = new Rank(first.target(), FIRST)) {
      second.awaitReady();
      try (Rank other = new Rank("grpc://" + cluster.address(SECOND), SECOND)) {
        runTogether(own, other);

        RunningStep waiting = own.session.runner().fetch(own.sum).start();
        long start = System.nanoTime();
        if (frozen) {
          second.freeze();
        } else {
          second.kill();
        }
        TributaryException failure = catchThrowableOfType(TributaryException.class, waiting::await);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
        assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(failure)
            .hasMessageContainingAll("instance 100 of group 1", "rank 1 (" + SECOND, "rank 0");
        if (frozen) {
          second.resume();
        }
      }
      if (!frozen) {
        try (TaskInProcess again = TaskInProcess.start(cluster, SECOND, silence)) {
          again.awaitReady();
          try (Rank other = new Rank("grpc://" + cluster.address(SECOND), SECOND)) {
            awaitStep(own, other);
          }
        }
      }
    }
  }

  @Test
  void sums_ofTwoMasters_meetStepByStep() throws Exception {
    ClusterSpec cluster = ServersForTest.clusterOnFreePorts(Map.of("worker", 2));
    try (Server first = Server.start(ServersForTest.options(cluster, FIRST));
        Server second = Server.start(ServersForTest.options(cluster, SECOND));
        Rank one = new Rank(first.target(), FIRST);
        Rank two = new Rank(second.target(), SECOND)) {
      runTogether(one, two);
    }
  }

  private static void runTogether(Rank one, Rank two) {
    for (int i = 0; i < STEPS; i++) {
      step(one, two);
    }
  }

  private static void step(Rank one, Rank two) {
    RunningStep other = two.session.runner().fetch(two.sum).start();
    TributaryException failure = null;
    for (RunningStep step : List.of(one.session.runner().fetch(one.sum).start(), other)) {
      try (StepResult result = step.await()) {
        assertThat(result.get(0).toFloats()).containsExactly(3f, 3f);
      } catch (TributaryException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** A task that has restarted is found by the second attempt, or a later one. */
  private static void awaitStep(Rank one, Rank two) {
    TributaryException last = null;
    for (int i = 0; i < 10; i++) {
      try {
        step(one, two);
        return;
      } catch (TributaryException e) {
        last = e;
      }
    }
    throw new AssertionError("the task that is back is not found", last);
  }

  /** A client of one task, whose session knows no other. */
  private static final class Rank implements AutoCloseable {
    final Ops tf = Ops.create();
    final Session session;
    final Output sum;

    Rank(String target, TaskName task) {
      Ops own = tf.withDevice(task.toString());
      DeviceGroup group = DeviceGroup.of(1, 2).withTimeout(Duration.ofSeconds(10));
      float value = task.index() + 1;
      sum = own.collectives.sum(own.constant(new float[] {value, value}), group, 100);
      session =
          Session.open(
              target,
              tf.graph(),
              SessionOptions.defaults()
                  .withCluster(ClusterOptions.defaults().withDeviceFilters(task.toString())));
    }

    @Override
    public void close() {
      session.close();
      tf.graph().close();
    }
  }
}
