package dev.tributary.bench.training;

import dev.tributary.bench.Model;
import dev.tributary.cluster.spec.ClusterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The mlp on one parameter server and two workers, each a process: asynchronous and synchronous
 * training in turn, since the machine's speed drifts. Both clusters are up all the time; the one
 * whose turn it is not waits.
 *
 * @param seconds of a round
 */
record ReplicaComparison(int rounds, double seconds) {
  private static final int WORKERS = 2;
  private static final int FEW_STEPS = 200;

  /** With less, compilers still work beside the first rounds. */
  private static final int WARM_UP_ROUNDS = 3;

  List<Rounds> measure() {
    List<Double> async = new ArrayList<>();
    List<Double> sync = new ArrayList<>();
    List<Double> ratio = new ArrayList<>();
    ClusterSpec asyncSpec = ProcessCluster.spec(1, WORKERS);
    ClusterSpec syncSpec = ProcessCluster.spec(1, WORKERS);
    try (ProcessCluster asyncServers = ProcessCluster.start(asyncSpec, "ps");
        ProcessCluster syncServers = ProcessCluster.start(syncSpec, "ps");
        ProcessCluster asyncWorkers = ProcessCluster.start(asyncSpec, "worker");
        ProcessCluster syncWorkers = ProcessCluster.start(syncSpec, "worker", "--sync")) {
      String forSeconds = "seconds " + seconds;
      // Synchronous workers end together only after the same number of steps.
      long steps = FEW_STEPS;
      for (int i = 0; i < WARM_UP_ROUNDS; i++) {
        together(asyncWorkers, forSeconds);
        double rate = together(syncWorkers, "steps " + steps);
        steps = Math.max(1, Math.round(rate * seconds / (WORKERS * Model.MLP.batch())));
      }
      for (int i = 0; i < rounds; i++) {
        async.add(together(asyncWorkers, forSeconds));
        sync.add(together(syncWorkers, "steps " + steps));
        ratio.add(sync.get(i) / async.get(i));
      }
    }
    return List.of(
        new Rounds(Quantity.MLP_ASYNC, async),
        new Rounds(Quantity.MLP_SYNC, sync),
        new Rounds(Quantity.MLP_RATIO, ratio));
  }

  /** Gives all workers the same order; the sum of their rates. */
  private double together(ProcessCluster workers, String order) {
    Duration limit = Duration.ofSeconds(60 + 10 * Math.round(seconds));
    workers.tasks().forEach(worker -> worker.order(order));
    return workers.tasks().stream()
        .mapToDouble(worker -> Double.parseDouble(worker.answer(limit)))
        .sum();
  }
}
