package dev.tributary.bench.scale;

import dev.tributary.bench.LoopbackCluster;
import dev.tributary.bench.NullGraph;
import dev.tributary.bench.Replica;
import dev.tributary.bench.Singles;
import dev.tributary.bench.Timing;
import dev.tributary.bench.VariableKind;
import dev.tributary.cluster.spec.ClusterSpec;
import java.util.EnumMap;
import java.util.Map;

/**
 * A cluster of so many tasks in this process, one of them the parameter server: what it holds when
 * nobody has used it yet, what the smallest step between the parameter server and a worker costs,
 * what one costs that needs all tasks, and what is held when all sessions are closed again and the
 * tasks, each connected with all others by now, have rested for a while.
 */
record TaskGrowth(int tasks, Timing timing) {
  private static final double WARM_UP_SECONDS = 2;

  /** A little more than threads that serve calls wait for the next one. */
  private static final double REST_SECONDS = 11;

  private static final int STEPS = 200;

  Point measure() {
    Map<Quantity, Double> values = new EnumMap<>(Quantity.class);
    try (LoopbackCluster cluster = LoopbackCluster.start(tasks - 1)) {
      Memory idle = Memory.afterCollection();
      values.put(Quantity.THREADS, (double) idle.threads());
      values.put(Quantity.IDLE_HEAP, idle.heapMegabytes());
      values.put(Quantity.IDLE_RESIDENT, idle.residentMegabytes());
      if (tasks > 1) {
        values.put(Quantity.NULL_STEP, nullStepMicros(cluster.spec()));
      }
      values.put(Quantity.SPANNING_STEP, spanningStepMicros(cluster.spec()));
      rest();
      values.put(Quantity.USED_RESIDENT, Memory.afterCollection().residentMegabytes());
    }
    return new Point(Growth.TASKS, tasks, values);
  }

  /** The middle one of all workers' medians; each worker has its own client, one after another. */
  private double nullStepMicros(ClusterSpec cluster) {
    double[] medians = new double[tasks - 1];
    for (int worker = 0; worker < medians.length; worker++) {
      try (NullGraph graph =
          new NullGraph(Replica.of(cluster, worker), VariableKind.resource, NullGraph.Input.feed)) {
        if (worker == 0) {
          timing.rate(WARM_UP_SECONDS, graph::step);
        }
        medians[worker] = timing.singles(STEPS, graph::step).median();
      }
    }
    return new Singles(medians).median();
  }

  private double spanningStepMicros(ClusterSpec cluster) {
    try (SpanningGraph graph = new SpanningGraph(cluster)) {
      timing.rate(WARM_UP_SECONDS, graph::step);
      return timing.singles(STEPS, graph::step).median();
    }
  }

  private void rest() {
    try {
      Thread.sleep((long) (REST_SECONDS * timing.scale() * 1000));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
