package dev.tributary.train.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.testing.TrainingCluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReplicatedOptimizerTest {
  private static final int BOUND = 2;
  private static final Liveness PATIENT =
      new Liveness(Duration.ofMillis(100), Duration.ofSeconds(100));
  private static final Liveness HASTY = new Liveness(Duration.ofMillis(20), Duration.ofMillis(400));

  @Test
  void ssp_slowWorker_keepsTheOthersWithinTheBound() throws Exception {
    int rounds = 6;
    try (TrainingCluster cluster = TrainingCluster.start(1, 2);
        Replica fast = ssp(cluster, 0, PATIENT);
        Replica slow = ssp(cluster, 1, PATIENT)) {
      AtomicInteger begun = new AtomicInteger();
      CompletableFuture<Void> running =
          CompletableFuture.runAsync(
              () -> {
                for (int done = 1; done <= rounds + BOUND; done++) {
                  fast.step();
                  assertThat(done).isLessThanOrEqualTo(begun.get() + BOUND);
                }
              });
      for (int round = 0; round < rounds; round++) {
        long atTheGate = 2L * round + BOUND + 1;
        await(running, fast, atTheGate);
        for (int i = 0; i < 20; i++) {
          assertThat(slow.globalStep()).isEqualTo(atTheGate);
        }
        begun.incrementAndGet();
        slow.step();
      }
      running.get(60, TimeUnit.SECONDS);
      long[] clocks = fast.clocks();
      assertThat(clocks[0] - clocks[1]).isEqualTo(BOUND);
    }
  }

  @Test
  void ssp_workerThatEnds_letsTheOthersGoOn() throws Exception {
    try (TrainingCluster cluster = TrainingCluster.start(1, 2);
        Replica first = ssp(cluster, 0, PATIENT);
        Replica second = ssp(cluster, 1, PATIENT)) {
      CompletableFuture<Void> running = CompletableFuture.runAsync(() -> first.steps(20));
      second.step();
      await(running, first, BOUND + 3);
      second.end();

      running.get(60, TimeUnit.SECONDS);
      assertThat(first.globalStep()).isEqualTo(21);
    }
  }

  @Test
  void ssp_workerThatDies_letsTheOthersGoOn() throws Exception {
    try (TrainingCluster cluster = TrainingCluster.start(1, 2);
        Replica first = ssp(cluster, 0, HASTY);
        Replica second = ssp(cluster, 1, HASTY)) {
      second.step();
      second.die();

      CompletableFuture.runAsync(() -> first.steps(20)).get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void ssp_workerThatWasThoughtToHaveLeft_comesInWithItsNextStep() {
    try (TrainingCluster cluster = TrainingCluster.start(1, 2);
        Replica first = ssp(cluster, 0, PATIENT);
        Replica second = ssp(cluster, 1, PATIENT)) {
      second.end();
      first.steps(7);
      second.step();

      assertThat(first.clocks()).containsExactly(7, 8);
    }
  }

  @Test
  void ssp_workerStartedAgain_comesInBesideTheSlowest() throws Exception {
    try (TrainingCluster cluster = TrainingCluster.start(1, 2);
        Replica first = ssp(cluster, 0, PATIENT)) {
      first.steps(7);
      try (Replica second = ssp(cluster, 1, PATIENT)) {
        first.steps(BOUND);
        assertThat(first.clocks()).containsExactly(7 + BOUND, 7);
        // Killed while the other waits for it, and started again.
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(first::step);
        await(waiting, first, 7 + BOUND + 1);
        second.die();
        try (Replica again = ssp(cluster, 1, PATIENT)) {
          waiting.get(60, TimeUnit.SECONDS);
          assertThat(again.clocks()).containsExactly(7 + BOUND + 1, 7 + BOUND + 1);
          again.steps(BOUND);
        }
      }
    }
  }

  @Test
  void ssp_boundOfZero_letsWorkersStepTogether() throws Exception {
    try (TrainingCluster cluster = TrainingCluster.start(1, 3);
        Replica first = replica(cluster, 0, 3, Consistency.ssp(0), PATIENT);
        Replica second = replica(cluster, 1, 3, Consistency.ssp(0), PATIENT);
        Replica third = replica(cluster, 2, 3, Consistency.ssp(0), PATIENT)) {
      CompletableFuture.allOf(
              CompletableFuture.runAsync(() -> first.steps(10)),
              CompletableFuture.runAsync(() -> second.steps(10)),
              CompletableFuture.runAsync(() -> third.steps(10)))
          .get(60, TimeUnit.SECONDS);

      assertThat(first.clocks()).containsExactly(10, 10, 10);
      assertThat(first.globalStep()).isEqualTo(30);
    }
  }

  @Test
  void async_stepsOfOthersWhileAGradientIsComputed_areItsStaleness() throws Exception {
    try (TrainingCluster cluster = TrainingCluster.start(1, 2);
        Replica first = replica(cluster, 0, 2, Consistency.async(), PATIENT);
        Replica second = replica(cluster, 1, 2, Consistency.async(), PATIENT)) {
      first.steps(3);
      assertThat(first.meanStaleness()).isZero();
      CompletableFuture.allOf(
              CompletableFuture.runAsync(() -> first.steps(200)),
              CompletableFuture.runAsync(() -> second.steps(200)))
          .get(60, TimeUnit.SECONDS);

      assertThat(second.applied()).isEqualTo(403);
      assertThat(second.meanStaleness()).isGreaterThan(0);
      assertThat(second.dropped()).isZero();
      assertThat(second.globalStep()).isEqualTo(403);
    }
  }

  @Test
  void sync_allGradients_areAppliedAndNotStale() throws Exception {
    try (TrainingCluster cluster = TrainingCluster.start(1, 2);
        Replica first = replica(cluster, 0, 2, Consistency.sync(), PATIENT);
        Replica second = replica(cluster, 1, 2, Consistency.sync(), PATIENT)) {
      CompletableFuture.allOf(
              CompletableFuture.runAsync(() -> first.steps(10)),
              CompletableFuture.runAsync(() -> second.steps(10)))
          .get(60, TimeUnit.SECONDS);

      assertThat(first.globalStep()).isEqualTo(10);
      assertThat(first.applied()).isEqualTo(20);
      assertThat(first.meanStaleness()).isZero();
      assertThat(first.dropped()).isZero();
    }
  }

  @Test
  void syncWithBackups_gradientsThatComeTooLate_areCountedAndDropped() {
    try (TrainingCluster cluster = TrainingCluster.start(1, 2);
        Replica first = replica(cluster, 0, 2, Consistency.syncWithBackups(1), PATIENT);
        Replica second = replica(cluster, 1, 2, Consistency.syncWithBackups(1), PATIENT)) {
      first.steps(5);
      assertThat(first.dropped()).isZero();
      second.step();
      assertThat(first.dropped()).isEqualTo(1);
      assertThat(first.applied()).isEqualTo(5);
      assertThat(first.globalStep()).isEqualTo(5);
      second.step();

      assertThat(first.globalStep()).isEqualTo(6);
      assertThat(first.applied()).isEqualTo(6);
      assertThat(first.dropped()).isEqualTo(1);
      assertThat(first.lastStaleness()).isZero();
    }
  }

  @Test
  void applyGradients_withoutGlobalStep_isRefused() {
    Ops tf = Ops.create();
    Variable w = tf.variable("w", tf.constant(1f));
    ReplicatedOptimizer optimizer =
        ReplicatedOptimizer.of(new GradientDescentOptimizer(0.1), Consistency.async(), 1);

    assertThatThrownBy(() -> optimizer.minimize(tf, w.value()))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("global step");
    assertThatThrownBy(() -> optimizer.sessionRunHook(false))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("applyGradients");
  }

  private static Replica ssp(TrainingCluster cluster, int task, Liveness liveness) {
    return replica(cluster, task, 2, Consistency.ssp(BOUND), liveness);
  }

  private static Replica replica(
      TrainingCluster cluster, int task, int workers, Consistency consistency, Liveness liveness) {
    return Replica.start(cluster, task, workers, consistency, liveness);
  }

  /** Waits for a global step, or for an early end of those who should make it. */
  private static void await(CompletableFuture<Void> running, Replica replica, long step)
      throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (replica.globalStep() < step) {
      if (running.isDone()) {
        running.get(0, TimeUnit.SECONDS);
      }
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }
}
