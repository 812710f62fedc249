package dev.tributary.examples.cluster;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.tensor.Shape;
import dev.tributary.train.optimizer.GradientDescentOptimizer;

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
    Variable weights1 = ps.variable("weights_1", new float[][] {{1, -0.5f}});
    Variable biases1 = ps.variable("biases_1", new float[] {0.1f, 0.1f});
    Variable weights2 = ps.variable("weights_2", new float[][] {{0.5f}, {0.5f}});
    Variable biases2 = ps.variable("biases_2", new float[] {0});

    Ops worker = tf.withDevice("/job:worker/task:1");
    Output input = worker.constant(Shape.of(5, 1), -2f, -1f, 0f, 1f, 2f);
    Output wanted = worker.abs(input);
    Output layer1 = worker.relu(worker.add(worker.matMul(input, weights1), biases1));
    Output logits = worker.add(worker.matMul(layer1, weights2), biases2);
    Output loss = worker.mean(worker.squaredDifference(logits, wanted));
    Operation train = new GradientDescentOptimizer(0.05).minimize(worker, loss);
    Operation init = tf.globalVariablesInitializer();

    try (Session session = Session.open(arguments[0], tf.graph())) {
      session.run(init);
      System.out.println("loss before: " + session.fetch(loss).floatValue());
      for (int i = 0; i < STEPS; i++) {
        session.run(train);
      }
      System.out.println("loss after " + STEPS + " steps: " + session.fetch(loss).floatValue());
    }
  }
}
