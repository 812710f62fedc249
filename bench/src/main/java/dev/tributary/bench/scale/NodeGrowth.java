package dev.tributary.bench.scale;

import dev.tributary.bench.Lanes;
import dev.tributary.bench.LoopbackCluster;
import dev.tributary.bench.PreparedGraph;
import dev.tributary.bench.Replica;
import dev.tributary.bench.Singles;
import dev.tributary.bench.Timing;
import dev.tributary.tensor.Tensor;
import java.util.EnumMap;
import java.util.Map;

/**
 * Graphs of so many nodes on a parameter server and two workers in this process: what the first
 * step of a built graph and later ones cost, and what is held while its session is open and after.
 * The graphs are those of the course's large-graph, with more or fewer lanes.
 */
record NodeGrowth(int nodes, Timing timing) {
  /** Each block of ops is on the task after the one before. */
  private static final Lanes.Size LANE = new Lanes.Size(1, 10, 100);

  private static final int WARM_UP_STEPS = 20;
  private static final int STEPS = 100;
  private static final float X = 0.5f;

  NodeGrowth {
    if (nodes <= 0 || nodes % LANE.nodes() != 0) {
      throw new IllegalArgumentException(
          "graphs grow by lanes of %d nodes, got %d nodes".formatted(LANE.nodes(), nodes));
    }
  }

  Point measure() {
    Map<Quantity, Double> values = new EnumMap<>(Quantity.class);
    try (LoopbackCluster cluster = LoopbackCluster.start(2)) {
      Replica replica = Replica.of(cluster.spec(), 0);
      double[] first = new double[timing.rounds()];
      double[] later = new double[timing.rounds()];
      for (int i = 0; i < timing.rounds(); i++) {
        GraphFigures figures = graph(replica, i);
        first[i] = figures.firstMicros;
        later[i] = figures.laterMicros;
        values.put(Quantity.OPEN_HEAP, figures.openHeapMegabytes);
      }
      values.put(Quantity.FIRST_RUN, new Singles(first).median() / 1e3);
      values.put(Quantity.LATER_STEP, new Singles(later).median() / 1e3);
      Memory after = Memory.afterCollection();
      values.put(Quantity.CLOSED_HEAP, after.heapMegabytes());
      values.put(Quantity.USED_RESIDENT, after.residentMegabytes());
    }
    return new Point(Growth.NODES, nodes, values);
  }

  private record GraphFigures(double firstMicros, double laterMicros, double openHeapMegabytes) {}

  private GraphFigures graph(Replica replica, int variant) {
    Lanes lanes =
        new Lanes(
            replica, new Lanes.Size(nodes / LANE.nodes(), LANE.blocks(), LANE.ops()), variant);
    long start = System.nanoTime();
    try (Tensor x = Tensor.scalar(X);
        PreparedGraph step = lanes.open()) {
      float got = step.run(x);
      double first = (System.nanoTime() - start) / 1e3;
      lanes.check(X, got);
      timing.singles(WARM_UP_STEPS, () -> step.run(x));
      double later = timing.singles(STEPS, () -> step.run(x)).median();
      return new GraphFigures(first, later, Memory.afterCollection().heapMegabytes());
    }
  }
}
