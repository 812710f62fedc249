package dev.tributary.cluster.internal.master;

import static dev.tributary.cluster.internal.master.TestClient.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.MasterInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.ConfigProto;

/** Many steps and many sessions. */
class MasterLoadTest extends MasterFixture {
  private static final int THREADS = 8;
  private static final int STEPS = 50;

  @Override
  MasterConnector connector() {
    return MasterConnector.inProcess();
  }

  @Test
  void runStep_manyThreads_allTakeEffect() throws Exception {
    counter();
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try (TestClient client = open()) {
      client.run("counter/Assign");
      List<Future<?>> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        threads.add(
            pool.submit(
                () -> {
                  for (int step = 0; step < STEPS; step++) {
                    client.run("increment");
                    client.fetch("value");
                  }
                }));
      }
      for (Future<?> thread : threads) {
        thread.get(50, TimeUnit.SECONDS);
      }

      assertThat(client.fetch("value")).isEqualTo(THREADS * STEPS);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void sessions_openedAndClosed_leaveNothing() {
    counter();
    int before = Thread.activeCount();
    for (int i = 0; i < 200; i++) {
      try (TestClient client = open()) {
        client.run("counter/Assign");
      }
    }

    assertThat(Thread.activeCount()).isLessThanOrEqualTo(before + 6);
  }

  @Test
  void preparedSteps_moreKindsThanTheBound_areForgottenAndMadeAgain() {
    counter();
    MasterInterface small =
        cluster.master(
            "worker",
            0,
            MasterOptions.defaults().withMostPreparedSteps(1),
            ConfigProto.getDefaultInstance());
    try (TestClient client = TestClient.open(small, tf.graph())) {
      client.run("counter/Assign");
      for (int i = 1; i <= 3; i++) {
        client.run("increment");
        assertThat(client.fetch("value")).isEqualTo(i);
      }
      assertThat(await(client.step(Map.of(), List.of(), List.of("increment"))).tensors()).isEmpty();
    }
  }
}
