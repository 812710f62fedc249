package dev.tributary.bench;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.RunOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.trace.StepTrace;
import java.util.List;
import java.util.function.Function;

/**
 * A graph in a session with one step that is ready to run: fixed feeds, one fetch, fixed targets.
 * Owns the session.
 */
public final class PreparedGraph implements AutoCloseable {
  private final Session session;
  private final StepCallable step;

  private PreparedGraph(Session session, StepCallable step) {
    this.session = session;
    this.step = step;
  }

  /** A step that only computes, in a new session. */
  public static PreparedGraph computing(SessionOptions options, List<Output> feeds, Output fetch) {
    return computing(Session.local(fetch.operation().graph(), options), feeds, fetch);
  }

  /** A step that only computes, in a session that belongs to it from now on. */
  public static PreparedGraph computing(Session session, List<Output> feeds, Output fetch) {
    return new PreparedGraph(session, session.prepare(feeds, List.of(fetch), List.of()));
  }

  /**
   * A training step of one of the course's models: feeds images and labels, fetches the loss. The
   * first of several replicas initializes the variables.
   */
  public static PreparedGraph training(Model model, VariableKind kind, Replica replica) {
    TrainingGraph graph = new TrainingGraph(model, kind, replica);
    return training(graph, graph.feeds(), replica);
  }

  /**
   * The same without feeds.
   *
   * @param input adds what makes images and labels
   */
  static PreparedGraph training(
      Model model, VariableKind kind, Replica replica, Function<Ops, List<Output>> input) {
    return training(new TrainingGraph(model, kind, replica, input), List.of(), replica);
  }

  private static PreparedGraph training(TrainingGraph graph, List<Output> feeds, Replica replica) {
    Session session = replica.open(graph.ops().graph());
    if (replica.isFirst()) {
      session.run(graph.initializers().toArray(new Operation[0]));
    }
    return new PreparedGraph(
        session, session.prepare(feeds, List.of(graph.loss()), graph.updates()));
  }

  /** Runs the step; the first element of what it fetches, as a client would read a loss. */
  public float run(Tensor... feeds) {
    try (StepResult result = step.run(feeds)) {
      return result.get(0).getFloat(0);
    }
  }

  /** Runs the step and records what it executes. */
  StepTrace trace(Tensor... feeds) {
    try (StepResult result = step.run(RunOptions.defaults().withTrace(), feeds)) {
      return result.trace().orElseThrow();
    }
  }

  @Override
  public void close() {
    step.close();
    session.close();
  }
}
