package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.testing.NoLeaks;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers and sessions come and go; the process stays as large as it was. */
@NoLeaks
@Timeout(300)
class ManyServersTest {
  private static final int ROUNDS = 200;
  private static final int WARM_UP = 20;
  private static final ClusterSpec ANY_PORT =
      ClusterSpec.of(Map.of("local", List.of("localhost:0")));
  private static final SessionOptions OVER_THE_WIRE =
      SessionOptions.defaults().withCluster(ClusterOptions.defaults().withoutShortCut());

  /** What a process has of each kind. */
  private record Holdings(long threads, long openFiles, long directBytes) {
    static Holdings now() {
      return new Holdings(
          settled(() -> ManagementFactory.getThreadMXBean().getThreadCount()),
          settled(Holdings::openFilesNow),
          settled(Holdings::directBytesNow));
    }

    private static long openFilesNow() {
      return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
          ? unix.getOpenFileDescriptorCount()
          : 0;
    }

    private static long directBytesNow() {
      return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(pool -> pool.getName().equals("direct"))
          .mapToLong(BufferPoolMXBean::getMemoryUsed)
          .sum();
    }

    /** The least of a second's readings: the last thread may still be on its way out. */
    private static long settled(LongSupplier reading) {
      long least = reading.getAsLong();
      long end = System.nanoTime() + Duration.ofSeconds(1).toNanos();
      while (System.nanoTime() < end) {
        least = Math.min(least, reading.getAsLong());
        Thread.onSpinWait();
      }
      return least;
    }
  }

  @Tag("slow")
  @Test
  void servers_twoHundredStartsAndStops_leaveNothing() {
    Holdings before = null;
    for (int round = 0; round < ROUNDS; round++) {
      if (round == WARM_UP) {
        before = Holdings.now();
      }
      Server.start(ServersForTest.options(ANY_PORT, new TaskName("local", 0))).stop();
    }
    assertFlat(before, Holdings.now());
  }

  @Tag("slow")
  @Test
  void sessions_twoHundredOpenedAndClosed_leaveNothing() {
    Ops tf = Ops.create();
    Output sum = tf.add(tf.constant(1f), tf.constant(2f));
    try (Server server = Server.start(ServersForTest.options(ANY_PORT, new TaskName("local", 0)))) {
      Holdings before = null;
      for (int round = 0; round < ROUNDS; round++) {
        if (round == WARM_UP) {
          before = Holdings.now();
        }
        try (Session session = Session.open(server.target(), tf.graph(), OVER_THE_WIRE);
            StepResult result = session.runner().fetch(sum).run()) {
          assertThat(result.get(0).floatValue()).isEqualTo(3f);
        }
      }
      assertFlat(before, Holdings.now());
    }
    tf.graph().close();
  }

  private static void assertFlat(Holdings before, Holdings after) {
    assertThat(after.threads()).as("threads").isLessThanOrEqualTo(before.threads() + 5);
    assertThat(after.openFiles()).as("files").isLessThanOrEqualTo(before.openFiles() + 5);
    assertThat(after.directBytes())
        .as("direct memory")
        .isLessThanOrEqualTo(before.directBytes() + (8 << 20));
  }
}
