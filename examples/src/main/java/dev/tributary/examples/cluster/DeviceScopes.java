package dev.tributary.examples.cluster;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * Variables on a parameter server, the model and its training on a worker, and a session at the
 * worker that trains: {@code DeviceScopes grpc://worker1:2222}, on a cluster with tasks {@code
 * /job:ps/task:1} and {@code /job:worker/task:1}. Fits two layers to y = |x|.
 */
public final class DeviceScopes {
  private static final int STEPS = 100;

  private DeviceScopes() {}

  public static void main(String[] arguments) {
    Ops tf = Ops.create();
    tf.graph().setSeed(7);

    Ops ps = tf.withDevice("/job:ps/task:1");
    Variable weights1 = ps.variable("weights_1", ps.constant(Shape.of(1, 2), 1f, -0.5f));
    Variable biases1 = ps.variable("biases_1", ps.constant(new float[] {0.1f, 0.1f}));
    Variable weights2 = ps.variable("weights_2", ps.constant(Shape.of(2, 1), 0.5f, 0.5f));
    Variable biases2 = ps.variable("biases_2", ps.constant(new float[] {0f}));

    Ops worker = tf.withDevice("/job:worker/task:1");
    Output input = worker.constant(Shape.of(5, 1), -2f, -1f, 0f, 1f, 2f);
    Output wanted = worker.abs(input);
    Output layer1 =
        worker.relu(worker.add(worker.matMul(input, weights1.value()), biases1.value()));
    Output logits = worker.add(worker.matMul(layer1, weights2.value()), biases2.value());
    Output loss = worker.mean(worker.squaredDifference(logits, wanted));
    Operation train = gradientDescent(worker, loss, 0.05f);
    Operation init = tf.globalVariablesInitializer();

    try (Graph graph = tf.graph();
        Session session = Session.open(arguments[0], graph)) {
      session.run(init);
      System.out.println("loss before: " + value(session, loss));
      for (int i = 0; i < STEPS; i++) {
        session.run(train);
      }
      System.out.println("loss after " + STEPS + " steps: " + value(session, loss));
    }
  }

  private static Operation gradientDescent(Ops tf, Output loss, float rate) {
    List<Variable> variables = Variable.trainable(tf.graph());
    List<Output> gradients =
        Gradients.dense(tf, loss, variables.stream().map(Variable::handle).toList());
    Operation[] updates = new Operation[variables.size()];
    for (int i = 0; i < updates.length; i++) {
      updates[i] =
          tf.training.applyGradientDescent(
              variables.get(i).handle(), tf.constant(rate), gradients.get(i));
    }
    return tf.withControlDependencies(updates).noOp();
  }

  private static float value(Session session, Output scalar) {
    try (StepResult result = session.runner().fetch(scalar).run()) {
      return result.get(0).floatValue();
    }
  }
}
