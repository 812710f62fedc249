package dev.tributary.cluster.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.RunOptions;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A counter on each parameter server, which every step adds one to; the one comes from the client
 * by way of a worker. Knows how many steps were tried and how many were acknowledged since the
 * counter was set. Confined to one thread.
 */
final class Counters implements AutoCloseable {
  private final Ops tf = Ops.create();
  private final Output one = tf.placeholder(DataType.INT32, Shape.scalar());
  private final List<Variable> counters = new ArrayList<>();
  private final List<Output> initialized = new ArrayList<>();
  private final List<List<Operation>> additions = new ArrayList<>();
  private final int[] tried = new int[ChaosCluster.PARAMETER_SERVERS];
  private final int[] acknowledged = new int[ChaosCluster.PARAMETER_SERVERS];

  Counters() {
    for (int i = 0; i < ChaosCluster.PARAMETER_SERVERS; i++) {
      Ops ps = tf.withDevice(ChaosCluster.ps(i).toString());
      Variable counter = ps.state.untrainedVariable("counter" + i, ps.constant(0));
      counters.add(counter);
      initialized.add(ps.state.varIsInitializedOp(counter.handle()));
    }
    for (int i = 0; i < ChaosCluster.WORKERS; i++) {
      Ops worker = tf.withDevice(ChaosCluster.worker(i).toString());
      Output term = worker.mul(one, worker.constant(1));
      additions.add(counters.stream().map(counter -> counter.assignAdd(term)).toList());
    }
  }

  Graph graph() {
    return tf.graph();
  }

  /** Sets a counter to zero. */
  void reset(Session session, int number) {
    session.run(counters.get(number).initializer());
    tried[number] = 0;
    acknowledged[number] = 0;
  }

  boolean isSet(Session session, int number) {
    try (StepResult result = session.runner().fetch(initialized.get(number)).run()) {
      return result.get(0).booleanValue();
    }
  }

  /** Adds one to all counters, by way of a worker. */
  void step(Session session, int worker, Duration limit) {
    for (int i = 0; i < tried.length; i++) {
      tried[i]++;
    }
    try (Tensor value = Tensor.scalar(1)) {
      StepRunner runner =
          session.runner().feed(one, value).options(RunOptions.defaults().withTimeout(limit));
      additions.get(worker).forEach(runner::target);
      runner.run().close();
    }
    for (int i = 0; i < acknowledged.length; i++) {
      acknowledged[i]++;
    }
  }

  /** No acknowledged addition is lost, and none was made twice. */
  void requireKept(Session session, int number) {
    try (StepResult result = session.runner().fetch(counters.get(number).value()).run()) {
      assertThat(result.get(0).intValue())
          .as("counter %d", number)
          .isBetween(acknowledged[number], tried[number]);
    }
  }

  @Override
  public void close() {
    tf.graph().close();
  }
}
