package dev.tributary.train.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.FakeClock;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.session.ManagedSession;
import dev.tributary.train.session.Supervisor;
import dev.tributary.train.session.SupervisorOptions;
import dev.tributary.train.testing.TrainingCluster;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two workers, of which one waits for a token on the first parameter server while the second one,
 * which holds the weight, is lost, or while the other worker brings nothing.
 */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
@Tag("slow")
class SyncWatchTest {
  private static final int WORKERS = 2;
  private static final Duration NEVER = Duration.ofHours(1);

  private TrainingCluster cluster;

  @BeforeEach
  void startCluster() {
    cluster = TrainingCluster.start(2, WORKERS);
  }

  @AfterEach
  void closeCluster() {
    cluster.close();
  }

  /** The chief's own step has no call to the parameter server that is gone. */
  @Test
  void chief_thatWaitsForATokenWhenAnotherTaskIsLost_beginsAgain() throws Exception {
    Replica chief = new Replica(0, true);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch begunAgain = new CountDownLatch(2);
    CompletableFuture<Void> training =
        CompletableFuture.runAsync(
            () ->
                chief.supervisor.run(
                    cluster.target(0),
                    managed -> {
                      chief.begin(managed, NEVER);
                      begun.countDown();
                      begunAgain.countDown();
                      if (begunAgain.getCount() > 0) {
                        chief.step(managed);
                      }
                    }));
    assertThat(begun.await(40, TimeUnit.SECONDS)).isTrue();
    chief.awaitGradient(cluster);

    cluster.restartParameterServer(1);

    assertThat(begunAgain.await(40, TimeUnit.SECONDS)).isTrue();
    training.get(40, TimeUnit.SECONDS);
  }

  /** Nobody gives it a token any more, as the chief is gone, too. */
  @Test
  void worker_thatWaitsForATokenWhenAnotherTaskIsLost_beginsAgain() throws Exception {
    Replica chief = new Replica(0, true);
    Replica worker = new Replica(1, true);
    CountDownLatch begunAgain = new CountDownLatch(2);
    CompletableFuture<Void> training;
    try (ManagedSession chiefs = chief.supervisor.managedSession(cluster.target(0))) {
      chief.begin(chiefs, NEVER);
      training =
          CompletableFuture.runAsync(
              () ->
                  worker.supervisor.run(
                      cluster.target(1),
                      managed -> {
                        begunAgain.countDown();
                        if (begunAgain.getCount() > 0) {
                          worker.begin(managed, NEVER);
                          worker.step(managed);
                        }
                      }));
      worker.awaitGradient(cluster);
    }

    cluster.restartParameterServer(1);
    try (ManagedSession chiefs = chief.supervisor.managedSession(cluster.target(0))) {
      assertThat(begunAgain.await(40, TimeUnit.SECONDS)).isTrue();
    }
    training.get(40, TimeUnit.SECONDS);
  }

  @ParameterizedTest(name = "with liveness {0}")
  @ValueSource(booleans = {true, false})
  void worker_whenNoStepIsMade_endsWithTheNamesOfThoseWhoAreMissing(boolean liveness) {
    Replica chief = new Replica(0, liveness);
    Replica worker = new Replica(1, liveness);
    try (ManagedSession chiefs = chief.supervisor.managedSession(cluster.target(0))) {
      chief.begin(chiefs, NEVER);

      assertThatThrownBy(
              () ->
                  worker.supervisor.run(
                      cluster.target(1),
                      managed -> {
                        worker.begin(managed, Duration.ofSeconds(2));
                        worker.step(managed);
                      }))
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED))
          .hasMessageContaining("no step for 2 s at global step 0")
          .hasMessageContaining("no gradients from workers [0]");
    }
  }

  @Test
  void check_afterTheStepLimit_failsUnlessThisProcessWasSuspended() {
    Replica chief = new Replica(0, true);
    FakeClock clock = new FakeClock();
    SyncLimits limits =
        new SyncLimits(Duration.ofSeconds(50), Duration.ofSeconds(1), Duration.ofSeconds(1));
    try (ManagedSession chiefs = chief.supervisor.managedSession(cluster.target(0))) {
      chief.begin(chiefs, NEVER);
      SyncWatch watch =
          new SyncWatch(chief.sync, chiefs.session(), chiefs.coordinator(), limits, clock);
      watch.check();
      clock.advance(Duration.ofHours(1));
      watch.check(); // Nobody could have made a step here meanwhile.
      clock.advance(Duration.ofSeconds(25));
      watch.check();
      clock.advance(Duration.ofSeconds(25));
      watch.check();
      clock.advance(Duration.ofNanos(1));

      assertThatThrownBy(watch::check)
          .hasMessageContaining("no step for 50 s at global step 0")
          .hasMessageContaining("no gradients from workers [0, 1]");
    }
  }

  @ParameterizedTest(name = "with liveness {0}")
  @ValueSource(booleans = {true, false})
  void worker_thatStillTrainsWhenTheChiefHasEnded_endsToo(boolean liveness) throws Exception {
    Replica chief = new Replica(0, liveness);
    Replica worker = new Replica(1, liveness);
    CompletableFuture<Void> training;
    try (ManagedSession chiefs = chief.supervisor.managedSession(cluster.target(0))) {
      SyncReplicasHook hook = chief.begin(chiefs, NEVER);
      training =
          CompletableFuture.runAsync(
              () ->
                  worker.supervisor.run(
                      cluster.target(1),
                      managed -> {
                        worker.begin(managed, NEVER);
                        while (!managed.shouldStop()) {
                          worker.step(managed);
                        }
                      }));
      worker.awaitGradient(cluster);
      hook.end(chiefs.session());
    }

    training.get(40, TimeUnit.SECONDS);
  }

  @Test
  void worker_thatBeginsWhenTheChiefHasEnded_endsToo() throws Exception {
    Replica chief = new Replica(0, true);
    Replica worker = new Replica(1, true);
    try (ManagedSession chiefs = chief.supervisor.managedSession(cluster.target(0))) {
      chief.begin(chiefs, NEVER).end(chiefs.session());
    }

    CompletableFuture<Void> training =
        CompletableFuture.runAsync(
            () ->
                worker.supervisor.run(
                    cluster.target(1),
                    managed -> {
                      worker.begin(managed, NEVER);
                      worker.step(managed);
                      assertThat(managed.shouldStop()).isTrue();
                    }));

    training.get(40, TimeUnit.SECONDS);
  }

  @ParameterizedTest(name = "task {0}")
  @ValueSource(ints = {0, 1})
  void worker_withoutItsHook_failsAtOnce(int task) {
    Replica chief = new Replica(0, true);
    Replica forgetful = new Replica(task, true);
    try (ManagedSession chiefs = chief.supervisor.managedSession(cluster.target(0))) {
      if (task != 0) {
        chief.begin(chiefs, NEVER);
      }

      assertThatThrownBy(() -> forgetful.supervisor.run(cluster.target(task), forgetful::step))
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION))
          .hasMessageContaining("sync_rep_local_step");
    }
  }

  @Test
  void chief_thatIsToldToStopWhileItWaitsForOthers_endsItsStep() throws Exception {
    Replica chief = new Replica(0, true);
    CompletableFuture<ManagedSession> begun = new CompletableFuture<>();
    CompletableFuture<Void> training =
        CompletableFuture.runAsync(
            () ->
                chief.supervisor.run(
                    cluster.target(0),
                    managed -> {
                      chief.begin(managed, NEVER);
                      begun.complete(managed);
                      chief.step(managed);
                    }));
    ManagedSession managed = begun.get(40, TimeUnit.SECONDS);
    chief.awaitGradient(cluster);

    managed.coordinator().requestStop();

    training.get(40, TimeUnit.SECONDS);
  }

  /** A worker and the graph it builds. */
  private static final class Replica {
    private final int task;
    private final Graph graph;
    private final SyncOperations sync;
    private final Operation train;
    private final Supervisor supervisor;
    private final CountDownLatch stepping = new CountDownLatch(1);

    Replica(int task, boolean liveness) {
      this.task = task;
      Ops tf =
          Ops.create()
              .withDeviceFunction(
                  ReplicaDeviceSetter.of(2).withWorkerDevice("/job:worker/task:" + task));
      this.graph = tf.graph();
      Variable globalStep = GlobalStep.create(tf);
      Variable w = VariableScope.of(tf).getVariable("w", Shape.of(1), Initializers.constant(1));
      SyncReplicasOptimizer plain =
          new SyncReplicasOptimizer(new GradientDescentOptimizer(0.125), WORKERS, WORKERS);
      SyncReplicasOptimizer optimizer =
          liveness
              ? plain.withLiveness(new Liveness(Duration.ofMillis(100), Duration.ofSeconds(80)))
              : plain;
      this.train = optimizer.minimize(tf, tf.sum(w.value(), 0), globalStep);
      this.sync = optimizer.operations();
      this.supervisor =
          Supervisor.of(
              tf,
              SupervisorOptions.chief().withChief(task == 0).withStopGrace(Duration.ofSeconds(20)));
    }

    SyncReplicasHook begin(ManagedSession managed, Duration stepLimit) {
      SyncLimits limits = new SyncLimits(stepLimit, Duration.ofSeconds(1), Duration.ofSeconds(1));
      SyncReplicasHook hook = new SyncReplicasHook(sync, task == 0, limits);
      hook.afterCreateSession(managed.session(), managed.coordinator());
      return hook;
    }

    void step(ManagedSession managed) {
      stepping.countDown();
      managed.session().run(train);
    }

    /** Waits until this worker has brought its gradient, so that it waits for a token only. */
    void awaitGradient(TrainingCluster cluster) throws InterruptedException {
      assertThat(stepping.await(40, TimeUnit.SECONDS)).isTrue();
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
      try (Session beside = cluster.session(task, graph)) {
        String others = "no gradients from workers [" + (1 - task) + "]";
        while (!SyncWatch.missing(sync.chief(), beside).equals(others)) {
          assertThat(System.nanoTime()).isLessThan(deadline);
        }
      }
    }
  }
}
