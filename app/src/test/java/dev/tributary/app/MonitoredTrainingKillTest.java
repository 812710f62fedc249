package dev.tributary.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.JavaProgram;
import dev.tributary.train.hook.Interval;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.StopAtStepHook;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.session.ChiefOutput;
import dev.tributary.train.session.MonitoredSession;
import dev.tributary.train.session.MonitoredTrainingOptions;
import dev.tributary.train.session.MonitoredTrainingSession;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A parameter server that is killed, without a word, under a monitored training session. */
@Tag("processes")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class MonitoredTrainingKillTest {
  private static final int LAST_STEP = 20;

  @TempDir Path logdir;

  @Test
  void training_parameterServerKilledAndStartedAgain_goesOnFromTheLastCheckpoint()
      throws Exception {
    List<String> addresses = FreePorts.addresses(2);
    String cluster =
        String.format(
            "{\"ps\": [\"%s\"], \"worker\": [\"%s\"]}", addresses.get(0), addresses.get(1));
    ClusterSpec spec =
        ClusterSpec.of(Map.of("ps", addresses.subList(0, 1), "worker", addresses.subList(1, 2)));
    Ops tf = Ops.create().withDeviceFunction(ReplicaDeviceSetter.of(1));
    Variable w = VariableScope.of(tf).getVariable("w", Shape.of(1), Initializers.constant(1));
    Variable globalStep = GlobalStep.create(tf);
    Operation train =
        new GradientDescentOptimizer(0.125).minimize(tf, tf.sum(w.value(), 0), globalStep);
    List<Long> starts = new ArrayList<>();
    SessionRunHook starting =
        new SessionRunHook() {
          @Override
          public void afterCreateSession(Session session, Coordinator coordinator) {
            starts.add(step(session, globalStep));
          }
        };
    MonitoredTrainingOptions options =
        MonitoredTrainingOptions.chief()
            .withOutput(ChiefOutput.to(logdir).withSaveCheckpoint(Interval.ofSteps(4)))
            .withWaits(Duration.ofMillis(50), Duration.ofSeconds(60));

    JavaProgram ps = startParameterServer(cluster);
    try (Server worker = Server.start(ServerOptions.of(spec, "worker", 0))) {
      try (MonitoredSession session =
          MonitoredTrainingSession.open(
              tf,
              worker.target(),
              options,
              List.of(starting, StopAtStepHook.lastStep(globalStep, LAST_STEP)))) {
        for (int i = 0; i < 10; i++) {
          session.run(train);
        }
        ps.handle().destroyForcibly();
        ps.awaitExitCode();
        ps = startParameterServer(cluster);
        session.repeatUntilStop(s -> s.run(train));
      }

      assertThat(starts).hasSizeGreaterThanOrEqualTo(2);
      assertThat(starts.get(0)).isZero();
      assertThat(starts.subList(1, starts.size())).containsOnly(8L);
      try (Session session = Session.open(worker.target(), tf.graph());
          StepResult result = session.runner().fetch(w.value()).run()) {
        assertThat(step(session, globalStep)).isEqualTo(LAST_STEP);
        assertThat(result.get(0).getFloat(0)).isEqualTo(1 - 0.125f * LAST_STEP);
      }
    } finally {
      ps.close();
    }
  }

  private static JavaProgram startParameterServer(String cluster) throws Exception {
    return JavaProgram.start(Main.class, "server", "--cluster", cluster, "--job", "ps");
  }

  private static long step(Session session, Variable globalStep) {
    try (StepResult result = session.runner().fetch(globalStep.value()).run()) {
      return result.get(0).longValue();
    }
  }
}
