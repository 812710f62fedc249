package dev.tributary.session;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Tensor;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Runs steps of a graph and keeps its variables between them. Any number of threads may run steps
 * at the same time; a step that fails leaves the session as it was. The graph may grow while the
 * session lives.
 *
 * <pre>{@code
 * try (Session session = Session.local(graph)) {
 *   session.run(init);
 *   try (StepResult result = session.runner().feed(x, batch).fetch(loss).target(train).run()) {
 *     float value = result.get(0).floatValue();
 *   }
 * }
 * }</pre>
 */
public interface Session extends AutoCloseable {
  /** A session in this process, with default settings. */
  static Session local(Graph graph) {
    return new LocalSession(graph, SessionOptions.defaults());
  }

  static Session local(Graph graph, SessionOptions options) {
    return new LocalSession(graph, options);
  }

  Graph graph();

  /** Starts a step: name what to feed and fetch, then run it. */
  StepRunner runner();

  /** Makes a step ready that is to run many times. */
  StepCallable prepare(List<Output> feeds, List<Output> fetches, List<Operation> targets);

  /** Runs one step. */
  default StepResult run(Map<Output, Tensor> feeds, List<Output> fetches, List<Operation> targets) {
    StepRunner runner = runner().fetch(fetches);
    // Maps iterate in any order, but the order of feeds tells kinds of steps apart.
    feeds.keySet().stream()
        .sorted(
            Comparator.<Output>comparingInt(o -> o.operation().id())
                .thenComparingInt(Output::index))
        .forEach(feed -> runner.feed(feed, feeds.get(feed)));
    targets.forEach(runner::target);
    return runner.run();
  }

  /** Runs operations for their effect, as an initializer. */
  default void run(Operation... targets) {
    StepRunner runner = runner();
    for (Operation target : targets) {
      runner.target(target);
    }
    runner.run().close();
  }

  /**
   * Cancels the steps that run, waits a while for them, gives back variables and threads. Later
   * calls fail with CANCELLED; closing again is harmless.
   */
  @Override
  void close();
}
