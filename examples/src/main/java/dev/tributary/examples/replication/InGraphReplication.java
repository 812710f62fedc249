package dev.tributary.examples.replication;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.optimizer.GradientAndVariable;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.util.ArrayList;
import java.util.List;

/**
 * One client builds a tower for each worker and trains all of them in one step: {@code
 * InGraphReplication grpc://worker:2222 2} on a cluster with one task {@code ps} and so many tasks
 * {@code worker}, which only serve.
 */
public final class InGraphReplication {
  private InGraphReplication() {}

  public static void main(String[] arguments) {
    String target = arguments[0];
    int workers = Integer.parseInt(arguments[1]);
    Ops tf = Ops.create();
    tf.graph().setSeed(1);
    VariableScope model = VariableScope.of(tf).withAutoReuse();
    GradientDescentOptimizer optimizer = new GradientDescentOptimizer(0.5);

    List<List<GradientAndVariable>> towers = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      Ops tower =
          tf.withSubScope("tower" + i)
              .withDeviceFunction(
                  ReplicaDeviceSetter.of(1).withWorkerDevice("/job:worker/task:" + i));
      Output loss = Line.loss(model.withOps(tower));
      towers.add(optimizer.computeGradients(tower, loss));
    }
    Operation train = optimizer.applyGradients(tf.withDevice("/job:ps/task:0"), means(tf, towers));
    Operation init = Variables.globalInitializer(tf);

    try (Session session = Session.open(target, tf.graph())) {
      session.run(init);
      for (int step = 0; step < 300; step++) {
        session.run(train);
      }
      for (Variable variable : Variables.trainable(tf.graph())) {
        System.out.printf("%s = %.2f%n", variable.name(), session.fetch(variable).getFloat(0));
      }
    }
  }

  /** The mean of the gradients of all towers, variable by variable. */
  private static List<GradientAndVariable> means(Ops tf, List<List<GradientAndVariable>> towers) {
    Ops onPs = tf.withDevice("/job:ps/task:0");
    List<GradientAndVariable> means = new ArrayList<>();
    for (int v = 0; v < towers.get(0).size(); v++) {
      List<Output> gradients = new ArrayList<>();
      for (List<GradientAndVariable> tower : towers) {
        if (tower.get(v).gradient() instanceof Output dense) {
          gradients.add(dense);
        }
      }
      Output mean = onPs.math.scale(onPs.addN(gradients), 1.0 / towers.size());
      means.add(towers.get(0).get(v).withGradient(mean));
    }
    return means;
  }
}
