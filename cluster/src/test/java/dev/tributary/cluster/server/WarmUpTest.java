package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.TaskLog;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.Graph;
import dev.tributary.internal.kernel.plain.PlainBackend;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.testing.NoLeaks;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server's warm-up runs a real step and leaves nothing. */
@NoLeaks
@Timeout(60)
class WarmUpTest {
  private static final ServerOptions OPTIONS =
      ServersForTest.options(
          ClusterSpec.of(Map.of("local", List.of("localhost:0"))), new TaskName("local", 0));

  /** The thread that frees forgotten graphs, which starts with the first graph of a process. */
  private static final String OF_PROCESS = "tributary-graph-cleaner";

  @ParameterizedTest
  @EnumSource
  void runStep_anyFastPaths_endsWellAndLeavesNoThread(FastPaths paths) throws Exception {
    Set<Thread> before = threads();

    new WarmUp(OPTIONS.withFastPaths(paths), () -> false).runStep();

    assertAllEnd(before);
  }

  @Test
  void close_justBegun_leavesNoThread() throws Exception {
    Set<Thread> before = threads();

    new WarmUp(OPTIONS, () -> false).start().close();

    assertAllEnd(before);
  }

  @Test
  void runStep_serverInUse_startsNoTask() {
    AtomicInteger asked = new AtomicInteger();

    new WarmUp(OPTIONS, () -> asked.incrementAndGet() > 0).runStep();

    assertThat(asked).hasValue(1);
  }

  @Test
  void isUsed_sessionIsOpened_becomesTrue() {
    Task task = Task.start(OPTIONS, PlainBackend::new, TaskLog.of(OPTIONS.task()));
    try (Graph graph = new Graph(Ops.registry())) {
      assertThat(task.isUsed()).isFalse();
      Session.open(task.target(), graph).close();
      assertThat(task.isUsed()).isTrue();
    } finally {
      task.shutdown().run();
    }
  }

  @Test
  void begin_notTheFirstOfTheProcess_isNothing() {
    WarmUp.begin(OPTIONS, () -> false).ifPresent(WarmUp::close);

    assertThat(WarmUp.begin(OPTIONS, () -> false)).isEmpty();
  }

  @Test
  void start_serverThatDoesNotAsk_warmsNothingUp() {
    try (Server server = Server.start(OPTIONS)) {
      assertThat(server.options().warmUp()).isFalse();
      assertThat(threads()).noneMatch(thread -> thread.getName().equals("tributary-warm-up"));
    }
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("tributary-"))
        .filter(thread -> !thread.getName().equals(OF_PROCESS))
        .collect(Collectors.toSet());
  }

  private static void assertAllEnd(Set<Thread> before) throws InterruptedException {
    for (Thread thread : threads()) {
      if (!before.contains(thread)) {
        TimeUnit.SECONDS.timedJoin(thread, 10);
        assertThat(thread.isAlive()).as(thread.getName()).isFalse();
      }
    }
  }
}
