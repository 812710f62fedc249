package dev.tributary.cluster.internal.worker;

import static dev.tributary.cluster.internal.worker.TestCluster.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.internal.file.FileTask;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of one worker share its threads for files. */
@NoLeaks
@Timeout(60)
class WorkerFilesTest {
  private static final int MORE_THAN_PLACES = 20;

  @Test
  void readFile_allPlacesHeldByOthers_isStillDone(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "text");
    CountDownLatch mountIsBack = new CountDownLatch(1);
    Semaphore stuck = new Semaphore(0);
    try (TestCluster cluster = new TestCluster(1, 1, Connector.inProcess())) {
      for (int i = 0; i < MORE_THAN_PLACES; i++) {
        cluster
            .fileThreads()
            .begin(
                new FileTask(
                    "stuck",
                    false,
                    () -> {
                      stuck.release();
                      awaitQuietly(mountIsBack);
                    }));
      }
      assertThat(stuck.tryAcquire(16, 20, TimeUnit.SECONDS)).isTrue();
      cluster.createSession("s");
      Partition partition = cluster.partition(0);
      partition.fetched(
          "content", partition.tf.io.readFile(partition.tf.constant(file.toString())));

      RunGraphResponse response =
          TestCluster.await(
              GraphCall.runGraph(cluster.remote(0), "s", cluster.register(0, "s", partition), 1)
                  .fetch(cpu(0).clientKey("content"))
                  .start());

      try (Tensor content = response.received().get(0).tensor()) {
        assertThat(content.stringValue()).isEqualTo("text");
      }
      mountIsBack.countDown();
    } finally {
      mountIsBack.countDown();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(50, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
