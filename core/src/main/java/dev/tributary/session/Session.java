package dev.tributary.session;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Tensor;
import dev.tributary.tensor.Value;
import java.util.List;
import java.util.Map;

/**
 * Runs steps of a graph and keeps its variables between them. Any number of threads may run steps
 * at the same time; a step that fails leaves the session as it was. The graph may grow while the
 * session lives.
 *
 * <pre>{@code
 * try (Session session = Session.local(tf.graph())) {
 *   session.run(tf.globalVariablesInitializer());
 *   session.run(train, Feeds.of(x, new float[] {0, 1, 2}));
 *   float value = session.fetch(loss, Feeds.of(x, new float[] {3})).floatValue();
 * }
 * }</pre>
 *
 * <p>{@link #run} and {@link #fetch} copy from and to the Java heap. Hot loops feed and fetch
 * tensors, which are off the heap and must be closed, with {@link #runner} and {@link #prepare}.
 */
public interface Session extends AutoCloseable {
  /** A session in this process, with default settings. */
  static Session local(Graph graph) {
    return new LocalSession(graph, SessionOptions.defaults());
  }

  static Session local(Graph graph, SessionOptions options) {
    return new LocalSession(graph, options);
  }

  /**
   * A session at a target: {@code grpc://host:port} is the master of a cluster's task, {@code
   * local} or nothing is this process. Tasks behind the master that are not up yet are waited for;
   * a master that does not answer is UNAVAILABLE after a few seconds ({@link
   * ClusterOptions#connectTimeout}).
   */
  static Session open(String target, Graph graph) {
    return open(target, graph, SessionOptions.defaults());
  }

  static Session open(String target, Graph graph, SessionOptions options) {
    return SessionTargets.isLocal(target)
        ? local(graph, options)
        : SessionTargets.factory(target).open(target, graph, options);
  }

  /**
   * Ends all sessions at a target's master and clears these containers on all its tasks, the
   * default one if none is named: variables and queues there are gone.
   */
  static void reset(String target, List<String> containers) {
    reset(target, containers, SessionOptions.defaults());
  }

  /** The same, with the options that a session at the target would have. */
  static void reset(String target, List<String> containers, SessionOptions options) {
    SessionTargets.factory(target).reset(target, containers, options);
  }

  Graph graph();

  /**
   * The devices on which steps can run, as they were when the session was opened: a task that went
   * down since is still listed.
   */
  List<DeviceDescription> devices();

  /** Starts a step: name what to feed and fetch, then run it. */
  StepRunner runner();

  /** Makes a step ready that is to run many times. */
  StepCallable prepare(
      List<? extends Operand> feeds, List<? extends Operand> fetches, List<Operation> targets);

  /**
   * Begins a step whose feeds and fetches come piece by piece; what may ever come is named here.
   */
  PartialRun partialRun(
      List<? extends Operand> feeds, List<? extends Operand> fetches, List<Operation> targets);

  /** Runs one step. */
  default StepResult run(
      Map<Output, Tensor> feeds, List<? extends Operand> fetches, List<Operation> targets) {
    StepRunner runner = runner().fetch(fetches);
    feeds.forEach(runner::feed);
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

  /** Runs an operation for its effect, as a training step. */
  default void run(Operation target, Feeds feeds) {
    feeds.run(runner().target(target)).close();
  }

  /** Runs one step with several fetches; the result has them by position and by operand. */
  default StepResult run(Feeds feeds, List<? extends Operand> fetches) {
    return feeds.run(runner().fetch(fetches));
  }

  /** Computes one operand and returns its value. */
  default Value fetch(Operand operand) {
    return fetch(operand, Feeds.none());
  }

  /** Computes one operand and returns its value. */
  default Value fetch(Operand operand, Feeds feeds) {
    try (StepResult result = feeds.run(runner().fetch(operand.asOutput()))) {
      return Value.copyOf(result.get(0));
    }
  }

  /**
   * Cancels the steps that run, waits a while for them, gives back variables and threads. Later
   * calls fail with CANCELLED; closing again is harmless.
   */
  @Override
  void close();
}
