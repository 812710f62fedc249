package dev.tributary.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Many clients, each at its own worker, change one variable: steps a second of all together. */
record FanOut(int workers, VariableKind variables) implements Workload {
  private static final double SECONDS = 3;
  private static final long LIMIT_SECONDS = 60;

  @Override
  public void run(Driver driver, Timing timing) {
    List<NullGraph> graphs = new ArrayList<>();
    ExecutorService clients = Executors.newFixedThreadPool(workers);
    try (LoopbackCluster cluster = LoopbackCluster.start(workers)) {
      try {
        for (int task = 0; task < workers; task++) {
          graphs.add(
              new NullGraph(Replica.of(cluster.spec(), task), variables, NullGraph.Input.feed));
        }
        measure(driver, timing, graphs, clients);
      } finally {
        graphs.forEach(NullGraph::close);
      }
    } finally {
      clients.shutdownNow();
    }
  }

  private void measure(
      Driver driver, Timing timing, List<NullGraph> graphs, ExecutorService clients) {
    AtomicInteger steps = new AtomicInteger();
    rate(timing, graphs, clients, steps);
    double[] rates = new double[timing.rounds()];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = rate(timing, graphs, clients, steps);
    }
    // Halves are exact in a float up to 2^23; beyond that the variable stands still.
    float wanted = Math.min(1 + 0.5f * steps.get(), 1 << 23);
    Checks.equal("v after " + steps + " steps", graphs.get(0).value(), wanted);
    driver.report(
        new Figure("fan-out", Map.of("workers", workers), "steps/s", Figure.Better.MAX, rates));
  }

  private static double rate(
      Timing timing, List<NullGraph> graphs, ExecutorService clients, AtomicInteger steps) {
    List<Future<Double>> rates = new ArrayList<>();
    for (NullGraph graph : graphs) {
      Runnable step =
          () -> {
            graph.step();
            steps.incrementAndGet();
          };
      rates.add(clients.submit(() -> timing.rate(SECONDS, step)));
    }
    return rates.stream().mapToDouble(FanOut::await).sum();
  }

  private static double await(Future<Double> rate) {
    try {
      return rate.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("a client of fan-out failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
