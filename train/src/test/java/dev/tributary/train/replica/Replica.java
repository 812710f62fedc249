package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.RunOptions;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.testing.TrainingCluster;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.time.Duration;
import java.util.List;

/** A worker with a graph and a session of its own, the first of which is the chief. */
final class Replica implements AutoCloseable {
  private static final RunOptions LIMIT = RunOptions.defaults().withTimeout(Duration.ofSeconds(40));
  private static final Duration END_WAIT = Duration.ofSeconds(20);

  private final Session session;
  private final Model model;
  private final SessionRunHook hook;
  private final Coordinator coordinator = new Coordinator();

  private record Model(
      Output x, Output w, Operation train, Variable globalStep, Staleness staleness) {}

  private Replica(Session session, Model model, SessionRunHook hook) {
    this.session = session;
    this.model = model;
    this.hook = hook;
    hook.afterCreateSession(session, coordinator);
  }

  static Replica start(
      TrainingCluster cluster, int task, int workers, Consistency consistency, Liveness liveness) {
    Ops tf =
        Ops.create()
            .withDeviceFunction(
                ReplicaDeviceSetter.of(1).withWorkerDevice("/job:worker/task:" + task));
    Output x = tf.placeholder(DataType.FLOAT, Shape.scalar());
    Variable globalStep = GlobalStep.create(tf);
    Variable w = VariableScope.of(tf).getVariable("w", Shape.of(1), Initializers.constant(1));
    ReplicatedOptimizer optimizer =
        ReplicatedOptimizer.of(new GradientDescentOptimizer(0.125), consistency, workers)
            .withLiveness(liveness)
            .withEndWait(END_WAIT);
    Output loss = tf.sum(tf.mul(w.value(), x), 0);
    Operation train = optimizer.minimize(tf, loss, globalStep);
    Operation init = Variables.globalInitializer(tf);
    Session session = cluster.session(task, tf.graph());
    if (task == 0) {
      session.run(init);
    }
    return new Replica(
        session,
        new Model(x, w.value(), train, globalStep, optimizer.staleness()),
        optimizer.sessionRunHook(task == 0));
  }

  /** One step, which waits as its consistency says. */
  void step() {
    run(model.train, 1);
  }

  void steps(int count) {
    steps(count, 1);
  }

  /**
   * @param gradient of the weight
   */
  void steps(int count, float gradient) {
    for (int i = 0; i < count; i++) {
      run(model.train, gradient);
    }
  }

  /** Adds a gradient to the weight's accumulator, and does nothing more of a synchronous step. */
  void addGradient(float gradient) {
    run(operation("AccumulatorApplyGradient"), gradient);
  }

  /** Takes what a synchronous step takes first, and does nothing more of it. */
  void takeGradients() {
    Operation take = operation("AccumulatorTakeGradient");
    try (Tensor one = Tensor.scalar(1)) {
      session.runner().feed(take.input(1), one).target(take).options(LIMIT).run().close();
    }
  }

  private void run(Operation operation, float gradient) {
    try (Tensor x = Tensor.scalar(gradient)) {
      session.runner().feed(model.x, x).target(operation).options(LIMIT).run().close();
    }
  }

  /** A good end. */
  void end() {
    hook.end(session);
  }

  /** An end of which nobody is told. */
  void die() {
    coordinator.requestStop();
    coordinator.join(List.of(), Duration.ofSeconds(20));
  }

  long globalStep() {
    return number(model.globalStep.value());
  }

  float weight() {
    return real(model.w);
  }

  /** How many gradients of synchronous workers are in the weight's accumulator. */
  int gradients() {
    return count(operation("AccumulatorNumAccumulated").output(0));
  }

  /** How many tokens wait for this synchronous worker. */
  int tokens() {
    return count(operation("QueueSizeV2").output(0));
  }

  /** The first operation of a type that runs without regard to others. */
  private Operation operation(String type) {
    return session.graph().operations().stream()
        .filter(op -> op.type().equals(type) && op.controlInputs().isEmpty())
        .findFirst()
        .orElseThrow();
  }

  float lastStaleness() {
    return real(model.staleness.last());
  }

  float meanStaleness() {
    return real(model.staleness.mean());
  }

  long applied() {
    return number(model.staleness.applied());
  }

  long dropped() {
    return number(model.staleness.dropped());
  }

  /** The clocks of stale synchronous workers. */
  long[] clocks() {
    Output clocks = session.graph().output("replica_clocks/Read/ReadVariableOp:0");
    try (StepResult result = session.runner().fetch(clocks).run()) {
      return result.get(0).toLongs();
    }
  }

  private long number(Output output) {
    try (StepResult result = session.runner().fetch(output).run()) {
      return result.get(0).longValue();
    }
  }

  private int count(Output output) {
    try (StepResult result = session.runner().fetch(output).run()) {
      return result.get(0).intValue();
    }
  }

  private float real(Output output) {
    try (StepResult result = session.runner().fetch(output).run()) {
      return result.get(0).floatValue();
    }
  }

  @Override
  public void close() {
    die();
    session.close();
  }
}
