package dev.tributary.cluster.internal.master;

import static dev.tributary.cluster.internal.master.TestClient.await;
import static dev.tributary.cluster.internal.master.TestClient.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A model whose parts lie on several tasks learns as it does on one device. */
@NoLeaks
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MasterTrainingTest {
  private static final int STEPS = 20;
  private static final int ROWS = 16;
  private static final int INPUTS = 6;

  @Test
  void perceptron_overThreeTasks_hasTheLossesOfALocalSession() {
    List<Double> local = localLosses();
    List<Double> distributed = new ArrayList<>();
    try (MasterCluster cluster = new MasterCluster(Map.of("ps", 1, "worker", 2), 1);
        Master master = cluster.master("worker", 0)) {
      Ops tf = new Ops(cluster.tiny.graph().scope());
      build(
          tf,
          tf.withDevice("/job:ps/task:0"),
          tf.withDevice("/job:worker/task:0"),
          tf.withDevice("/job:worker/task:1"));
      try (TestClient client = TestClient.open(master, tf.graph())) {
        client.run("init");
        for (int i = 0; i < STEPS; i++) {
          distributed.add(
              numbers(await(client.step(Map.of(), List.of("loss"), List.of("train")))).get("loss"));
        }
      }
    }

    assertThat(local.get(STEPS - 1)).isLessThan(local.get(0) / 1.5);
    for (int i = 0; i < STEPS; i++) {
      assertThat(distributed.get(i)).isCloseTo(local.get(i), Offset.offset(1e-4));
    }
  }

  private static List<Double> localLosses() {
    Ops tf = Ops.create();
    build(tf, tf, tf, tf);
    List<Double> losses = new ArrayList<>();
    try (Session session = Sessions.local(tf.graph())) {
      session.run(tf.graph().operation("init"));
      for (int i = 0; i < STEPS; i++) {
        try (StepResult result = session.runner().fetch("loss:0").target("train").run()) {
          losses.add((double) result.get(0).floatValue());
        }
      }
    }
    tf.graph().close();
    return losses;
  }

  /** Variables on one task, half of the batch on each of two others. */
  private static void build(Ops tf, Ops ps, Ops first, Ops second) {
    Random random = new Random(11);
    Variable hidden = parameter(ps, "hidden", random, INPUTS, 8);
    Variable out = parameter(ps, "out", random, 8, 1);
    Output half = half(first, hidden, out, random);
    Output otherHalf = half(second, hidden, out, random);
    Output loss = tf.withName("loss").mul(tf.constant(0.5f), tf.add(half, otherHalf));
    List<Variable> variables = List.of(hidden, out);
    List<Output> gradients =
        Gradients.dense(tf, loss, variables.stream().map(Variable::handle).toList());
    List<Operation> updates = new ArrayList<>();
    for (int i = 0; i < gradients.size(); i++) {
      updates.add(
          ps.training.applyGradientDescent(
              variables.get(i).handle(), ps.constant(0.3f), gradients.get(i)));
    }
    // The loss is that of the parameters before the update.
    tf.withName("train").withControlDependencies(loss.operation()).group(updates);
    tf.withName("init").group(variables.stream().map(Variable::initializer).toList());
  }

  private static Output half(Ops tf, Variable hidden, Variable out, Random random) {
    Output x = Constants.taking(tf, values(random, 1, ROWS, INPUTS));
    Output y = Constants.taking(tf, values(random, 0.5, ROWS, 1));
    Output made = tf.matMul(tf.tanh(tf.matMul(x, hidden.in(tf).read())), out.in(tf).read());
    Output error = tf.sub(made, y);
    return tf.mean(tf.mul(error, error));
  }

  private static Variable parameter(Ops ps, String name, Random random, int from, int to) {
    return ps.state.variable(
        name, Constants.taking(ps, values(random, Math.sqrt(1.0 / from), from, to)));
  }

  private static Tensor values(Random random, double deviation, int rows, int columns) {
    float[] values = new float[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextGaussian() * deviation);
    }
    return Tensor.of(Shape.of(rows, columns), values);
  }
}
