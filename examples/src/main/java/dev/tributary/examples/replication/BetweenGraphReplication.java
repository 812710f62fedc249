package dev.tributary.examples.replication;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.session.Supervisor;
import dev.tributary.train.session.SupervisorOptions;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;

/**
 * One of several workers, each with a graph of its own and the variables on a parameter server:
 * {@code BetweenGraphReplication CLUSTER TASK}, for each task of the job {@code worker}. Worker 0
 * is the chief, which initialises the model; the others wait for it.
 */
public final class BetweenGraphReplication {
  private static final int STEPS = 300;

  private BetweenGraphReplication() {}

  public static void main(String[] arguments) {
    ClusterSpec cluster = ClusterSpec.parseJson(arguments[0]);
    int task = Integer.parseInt(arguments[1]);
    Ops tf =
        Ops.create()
            .withDeviceFunction(
                ReplicaDeviceSetter.of(cluster.jobs().get("ps").size())
                    .withWorkerDevice("/job:worker/task:" + task));
    tf.graph().setSeed(task);
    Variable globalStep = GlobalStep.create(tf);
    Output loss = Line.loss(VariableScope.of(tf));
    Operation train = new GradientDescentOptimizer(0.3).minimize(tf, loss, globalStep);
    Output steps = globalStep.in(tf.withControlDependencies(train)).read();
    Supervisor supervisor = Supervisor.of(tf, SupervisorOptions.chief().withChief(task == 0));

    try (Server server = Server.start(ServerOptions.of(cluster, "worker", task))) {
      supervisor.run(
          server.target(),
          managed -> {
            while (!managed.shouldStop() && managed.session().fetch(steps).longValue() < STEPS) {
              // The step itself is what counts.
            }
            Variables.trainable(tf.graph()).forEach(v -> print(managed.session(), v));
          });
    }
  }

  private static void print(Session session, Variable variable) {
    System.out.printf("%s = %.2f%n", variable.name(), session.fetch(variable).getFloat(0));
  }
}
