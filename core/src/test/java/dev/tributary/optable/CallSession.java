package dev.tributary.optable;

import dev.tributary.graph.Graph;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.testing.Sessions;

/**
 * A graph that grows by calls, and a session in which they run. Closing it gives back the graph's
 * constants too.
 */
public final class CallSession implements AutoCloseable {
  private final Ops tf;
  private final Session session;

  public CallSession(OpRegistry registry) {
    this.tf = new Ops(new Graph(registry).scope());
    this.session = Sessions.local(tf.graph());
  }

  public Ops tf() {
    return tf;
  }

  public Session session() {
    return session;
  }

  public StepRunner runner() {
    return session.runner();
  }

  /** Runs the call's operation and fetches all its outputs. */
  public StepResult run(CallGraph call) {
    StepRunner runner = call.feed(session.runner());
    return runner.fetch(call.operation().outputs()).target(call.operation()).run();
  }

  @Override
  public void close() {
    session.close();
    tf.graph().close();
  }
}
