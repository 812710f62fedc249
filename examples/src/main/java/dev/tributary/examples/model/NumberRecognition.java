package dev.tributary.examples.model;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.model.Losses;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.replica.Consistency;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.replica.ReplicatedOptimizer;
import dev.tributary.train.session.Supervisor;
import dev.tributary.train.session.SupervisorOptions;
import dev.tributary.train.variable.GlobalStep;
import java.util.List;
import java.util.Map;

/**
 * One task of a cluster that learns to read numbers, asynchronously or in step: {@code
 * NumberRecognition PS_HOSTS WORKER_HOSTS JOB_NAME TASK_INDEX async|sync}.
 */
public final class NumberRecognition {
  private static final int TRAINING_STEPS = 300;

  private NumberRecognition() {}

  public static void main(String[] flags) throws Exception {
    List<String> psSpec = List.of(flags[0].split(","));
    List<String> workerSpec = List.of(flags[1].split(","));
    ClusterSpec cluster = ClusterSpec.of(Map.of("ps", psSpec, "worker", workerSpec));
    int task = Integer.parseInt(flags[3]);
    try (Server server = Server.start(ServerOptions.of(cluster, flags[2], task))) {
      if (flags[2].equals("ps")) {
        server.stopWhenOthersAreDone();
        server.join();
      } else {
        train(server, psSpec.size(), workerSpec.size(), task, Consistency.parse(flags[4]));
      }
    }
  }

  private static void train(Server server, int ps, int workers, int task, Consistency consistency) {
    boolean isChief = task == 0;
    String device = "/job:worker/task:" + task;
    Ops tf = Ops.create().withDeviceFunction(ReplicaDeviceSetter.of(ps).withWorkerDevice(device));
    NumberNetwork network = NumberNetwork.build(tf);
    Variable globalStep = GlobalStep.create(tf);
    Output loss = Losses.sparseSoftmaxCrossEntropy(network.labels(), network.logits());
    ReplicatedOptimizer optimizer =
        ReplicatedOptimizer.of(new AdamOptimizer(0.005), consistency, workers);
    Operation trainStep = optimizer.minimize(tf, loss, globalStep);
    Output step = globalStep.in(tf.withControlDependencies(trainStep)).read();

    SupervisorOptions options =
        SupervisorOptions.chief().withChief(isChief).withHooks(optimizer.sessionRunHook(isChief));
    Supervisor.of(tf, options)
        .run(
            server.target(),
            managed -> {
              Session session = managed.session();
              for (long done = 0; done < TRAINING_STEPS && !managed.shouldStop(); ) {
                done = session.fetch(step).longValue();
              }
              System.out.printf("accuracy %.2f%n", session.fetch(network.accuracy()).floatValue());
            });
    server.complete();
  }
}
