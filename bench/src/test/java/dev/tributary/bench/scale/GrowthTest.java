package dev.tributary.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.bench.LoopbackCluster;
import dev.tributary.bench.Timing;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Small sizes; the runs are too short for the times to mean much. */
@Timeout(60)
@Tag("slow")
class GrowthTest {
  private static final Timing SHORT = new Timing(2, 0.01);

  @Test
  @EnabledOnOs(OS.LINUX)
  void tasks_three_haveAllQuantities() {
    Point point = new TaskGrowth(3, SHORT).measure();
    assertThat(point.size()).isEqualTo(3);
    assertThat(point.values().values()).allMatch(value -> value > 0);
    assertThat(missing(point)).isEmpty();
    // Each task has threads of its own.
    assertThat(point.value(Quantity.THREADS).getAsDouble()).isGreaterThan(3);
    assertThat(point.value(Quantity.IDLE_RESIDENT).getAsDouble())
        .isGreaterThan(point.value(Quantity.IDLE_HEAP).getAsDouble());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void tasks_one_hasNoStepOfTwo() {
    assertThat(missing(new TaskGrowth(1, SHORT).measure())).containsExactly(Quantity.NULL_STEP);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void nodes_oneLane_haveAllQuantities() {
    Point point = new NodeGrowth(1000, SHORT).measure();
    assertThat(point.values().values()).allMatch(value -> value > 0);
    assertThat(missing(point)).isEmpty();
    assertThat(point.value(Quantity.OPEN_HEAP).getAsDouble())
        .isGreaterThan(point.value(Quantity.CLOSED_HEAP).getAsDouble());
  }

  @Test
  void nodes_partOfALane_areRejected() {
    assertThatThrownBy(() -> new NodeGrowth(1500, SHORT))
        .hasMessage("graphs grow by lanes of 1000 nodes, got 1500 nodes");
  }

  @Test
  void spanningGraph_step_addsUpAllTasks() {
    try (LoopbackCluster cluster = LoopbackCluster.start(3);
        SpanningGraph graph = new SpanningGraph(cluster.spec())) {
      assertThat(graph.step()).isEqualTo(4 * 3f);
      assertThat(graph.step()).isEqualTo(4 * 3f);
    }
  }

  private static List<Quantity> missing(Point point) {
    return point.growth().quantities().stream()
        .filter(quantity -> quantity.total().isEmpty())
        .filter(quantity -> point.value(quantity).isEmpty())
        .toList();
  }
}
