package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.Graph;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.testing.NoLeaks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pipelines that never give an element keep no thread from the steps of others. */
@NoLeaks
@Timeout(120)
@Tag("slow")
class FairPipelinesTest {
  private static final SessionOptions OVER_THE_WIRE =
      SessionOptions.defaults().withCluster(ClusterOptions.defaults().withoutShortCut());

  /** More than the server has threads. */
  private static final int STEPS = 6;

  /** The process keeps some things from their first use on. */
  @BeforeAll
  static void useEverythingOnce() throws InterruptedException {
    try (Server server = start();
        GoodClient good = GoodClient.start(server.target())) {
      good.requireWorst(Duration.ofMinutes(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"p_skip", "p_map", "p_prefetch", "p_reduce"})
  void steps_besidePipelinesWithoutEnd_areMade(String endless) throws Exception {
    HeldResources before = HeldResources.now();
    try (Graph greedy = new Graph(Ops.registry());
        Server server = start()) {
      GraphDefs.importInto(greedy, HostilePipelines.graph());
      List<RunningStep> steps = new ArrayList<>();
      try (Session first = Session.open(server.target(), greedy, OVER_THE_WIRE);
          Session second = Session.open(server.target(), greedy, OVER_THE_WIRE)) {
        for (int i = 0; i < STEPS; i++) {
          steps.add(first.runner().fetch(endless + ":0").start());
          steps.add(second.runner().fetch(endless + ":0").start());
        }
        try (GoodClient good = GoodClient.start(server.target())) { // After a hundred steps.
          good.requireWorst(Duration.ofSeconds(5));
        }
        long start = System.nanoTime();
        steps.forEach(RunningStep::cancel);
        for (RunningStep step : steps) {
          assertThatThrownBy(step::await).hasMessageContaining("cancel");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
      }
    }
    before.awaitNoMore();
  }

  private static Server start() {
    return Server.start(
        ServersForTest.options(
            ClusterSpec.of(Map.of("local", List.of("localhost:0"))), new TaskName("local", 0)));
  }
}
