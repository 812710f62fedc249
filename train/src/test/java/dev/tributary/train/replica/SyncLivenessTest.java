package dev.tributary.train.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.train.testing.TrainingCluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Synchronous training without backup workers, from which workers vanish. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Tag("slow")
class SyncLivenessTest {
  private static final Liveness PATIENT =
      new Liveness(Duration.ofMillis(100), Duration.ofSeconds(100));

  /** Long enough for a worker whose machine does other things to be heard from in time. */
  private static final Liveness HASTY = new Liveness(Duration.ofMillis(20), Duration.ofSeconds(2));

  private static final float RATE = 0.125f;
  private static final float FIRST = 1;
  private static final float SECOND = 3;
  private static final float MEAN = 2;

  private TrainingCluster cluster;

  @BeforeEach
  void startCluster() {
    cluster = TrainingCluster.start(1, 2);
  }

  @AfterEach
  void closeCluster() {
    cluster.close();
  }

  @Test
  void sync_workerThatDies_leavesTheMeanOfTheRest() throws Exception {
    try (Replica first = replica(0, HASTY);
        Replica second = replica(1, HASTY)) {
      together(first, second, 4);
      assertThat(first.weight()).isEqualTo(1 - 4 * RATE * MEAN);
      second.die();

      first.steps(20, FIRST);

      assertThat(first.globalStep()).isEqualTo(24);
      assertThat(first.weight()).isEqualTo(1 - 4 * RATE * MEAN - 20 * RATE * FIRST);
      assertThat(first.applied()).isEqualTo(4 * 2 + 20);
    }
  }

  @Test
  void sync_deadWorker_isNotFloodedWithTokens() throws Exception {
    try (Replica first = replica(0, HASTY);
        Replica second = replica(1, HASTY)) {
      together(first, second, 2);
      second.die();

      first.steps(20, FIRST);

      assertThat(second.tokens()).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void sync_workerThatComesBack_isWaitedForAgain() throws Exception {
    try (Replica first = replica(0, HASTY);
        Replica second = replica(1, HASTY)) {
      together(first, second, 2);
      second.die();
      first.steps(5, FIRST);

      AtomicBoolean enough = new AtomicBoolean();
      CompletableFuture<Void> running =
          CompletableFuture.runAsync(
              () -> {
                while (!enough.get()) {
                  first.steps(1, FIRST);
                }
              });
      try (Replica again = replica(1, HASTY)) {
        // With its second token it is one of those that all steps wait for.
        again.steps(2, SECOND);
        long step = again.globalStep();
        float weight = again.weight();
        again.steps(5, SECOND);

        assertThat(again.globalStep()).isEqualTo(step + 5);
        assertThat(again.weight()).isEqualTo(weight - 5 * RATE * MEAN);
        enough.set(true);
        again.end();
        running.get(60, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void sync_workerThatNeverBegins_isNotWaitedForLongerThanADeadOne() {
    try (Replica first = replica(0, HASTY)) {
      first.steps(5, FIRST);

      assertThat(first.weight()).isEqualTo(1 - 5 * RATE * FIRST);
    }
  }

  @Test
  void sync_workerThatEnds_isNotWaitedForAtAll() throws Exception {
    try (Replica first = replica(0, PATIENT);
        Replica second = replica(1, PATIENT)) {
      together(first, second, 3);
      second.end();

      first.steps(5, FIRST);

      assertThat(first.weight()).isEqualTo(1 - 3 * RATE * MEAN - 5 * RATE * FIRST);
    }
  }

  @Test
  void sync_workerThatDiesWithHalfOfItsStep_leavesNoStepHalfMade() throws Exception {
    try (Replica first = replica(0, HASTY);
        Replica second = replica(1, HASTY)) {
      second.addGradient(SECOND);
      CompletableFuture<Void> running = CompletableFuture.runAsync(() -> first.steps(10, FIRST));
      await(running, () -> first.gradients() == 2);
      second.die();

      running.get(60, TimeUnit.SECONDS);

      // What it had added before it died counts.
      assertThat(first.globalStep()).isEqualTo(10);
      assertThat(first.weight()).isEqualTo(1 - RATE * MEAN - 9 * RATE * FIRST);
    }
  }

  @Test
  void sync_gradientsThatWereTakenByADeadChief_areBroughtAgain() throws Exception {
    try (Replica first = replica(0, PATIENT);
        Replica second = replica(1, PATIENT)) {
      CompletableFuture<Void> running = CompletableFuture.runAsync(() -> second.steps(5, SECOND));
      await(running, () -> first.gradients() == 1);
      first.die();
      first.takeGradients();
      try (Replica again = replica(0, PATIENT)) {
        again.steps(5, FIRST);
        running.get(60, TimeUnit.SECONDS);

        assertThat(again.globalStep()).isEqualTo(4);
        // One of the two may count twice in the first step, whose gradients were asked for again.
        assertThat(again.weight())
            .isBetween(1 - RATE * (7f / 3 + 3 * MEAN), 1 - RATE * (5f / 3 + 3 * MEAN));
      }
    }
  }

  @Test
  void sync_modelSetBackByANewChief_leavesNoNegativeStaleness() throws Exception {
    try (Replica first = replica(0, PATIENT);
        Replica second = replica(1, PATIENT)) {
      together(first, second, 4);
      CompletableFuture<Void> running = CompletableFuture.runAsync(() -> second.steps(5, SECOND));
      await(running, () -> first.gradients() == 1);
      first.die();
      // Its model begins at step 0, under a gradient that was computed at step 4.
      try (Replica again = replica(0, PATIENT)) {
        again.step();

        assertThat(again.lastStaleness()).isNotNegative();
        again.steps(4, FIRST);
        running.get(60, TimeUnit.SECONDS);
        assertThat(again.meanStaleness()).isNotNegative();
      }
    }
  }

  private static void together(Replica first, Replica second, int steps) throws Exception {
    CompletableFuture<Void> other = CompletableFuture.runAsync(() -> second.steps(steps, SECOND));
    first.steps(steps, FIRST);
    other.get(60, TimeUnit.SECONDS);
  }

  private Replica replica(int task, Liveness liveness) {
    return Replica.start(cluster, task, 2, Consistency.sync(), liveness);
  }

  /** Waits for a state, or for an early end of those who should bring it about. */
  private static void await(CompletableFuture<Void> running, BooleanSupplier state)
      throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!state.getAsBoolean()) {
      if (running.isDone()) {
        running.get(0, TimeUnit.SECONDS);
      }
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }
}
