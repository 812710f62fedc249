package dev.tributary.train.chaos;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.BackendChoice;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.train.hook.Interval;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.replica.Consistency;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.replica.ReplicatedOptimizer;
import dev.tributary.train.session.ChiefOutput;
import dev.tributary.train.session.ManagedSession;
import dev.tributary.train.session.MonitoredSession;
import dev.tributary.train.session.MonitoredTrainingOptions;
import dev.tributary.train.session.MonitoredTrainingSession;
import dev.tributary.train.session.Supervisor;
import dev.tributary.train.session.SupervisorOptions;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * One task of a training in a process of its own, which ends when it is killed: {@code CLUSTER JOB
 * TASK CONSISTENCY LIBRARY LOGDIR}. Each weight goes down by one unit with each update, so that its
 * value shows how many it has seen. A worker prints {@code step N LOW HIGH} when it has made a
 * step: the global step, and the fewest and the most updates that a weight has seen.
 */
final class TrainingTask {
  /** A power of two, so that sums are exact. */
  static final float UNIT = 1f / 1024;

  private static final int WEIGHTS_PER_SERVER = 2;
  private static final Duration SAVE_EVERY = Duration.ofMillis(700);
  private static final Duration COMPUTATION = Duration.ofMillis(3);
  private static final Duration PRINT_EVERY = Duration.ofMillis(100);

  private final int task;
  private final boolean supervised;
  private final Path logdir;
  private final Ops tf;
  private final Variable globalStep;
  private final List<Output> weights = new ArrayList<>();
  private final ReplicatedOptimizer optimizer;
  private final Operation train;
  private long printed;

  private TrainingTask(
      ClusterSpec cluster, int task, Consistency consistency, boolean supervised, Path logdir) {
    this.task = task;
    this.supervised = supervised;
    this.logdir = logdir;
    int servers = cluster.jobs().get("ps").size();
    this.tf =
        Ops.create()
            .withDeviceFunction(
                ReplicaDeviceSetter.of(servers).withWorkerDevice("/job:worker/task:" + task));
    this.globalStep = GlobalStep.create(tf);
    List<Output> losses = new ArrayList<>();
    for (int i = 0; i < servers * WEIGHTS_PER_SERVER; i++) {
      Variable weight =
          VariableScope.of(tf).getVariable("w" + i, Shape.scalar(), Initializers.zeros());
      weights.add(weight.value());
      losses.add(weight.value());
    }
    this.optimizer =
        ReplicatedOptimizer.of(
            new GradientDescentOptimizer(UNIT), consistency, cluster.jobs().get("worker").size());
    this.train = optimizer.minimize(tf, tf.addN(losses), globalStep);
  }

  public static void main(String[] arguments) throws Exception {
    ClusterSpec cluster = ClusterSpec.parseJson(arguments[0]);
    String job = arguments[1];
    int task = Integer.parseInt(arguments[2]);
    try (Server server = Server.start(ServerOptions.of(cluster, job, task))) {
      if (job.equals("worker")) {
        new TrainingTask(
                cluster,
                task,
                Consistency.parse(arguments[3]),
                arguments[4].equals("supervisor"),
                Path.of(arguments[5]))
            .train(server.target());
      } else {
        System.out.println("serves");
      }
      while (System.in.read() >= 0) {
        // Nobody writes; only the end counts.
      }
    }
  }

  private void train(String target) {
    SessionOptions options =
        SessionOptions.defaults()
            .withBackend(BackendChoice.JAVA)
            .withCluster(
                ClusterOptions.defaults().withDeviceFilters("/job:ps", "/job:worker/task:" + task));
    Supplier<Session> opener = () -> Session.open(target, tf.graph(), options);
    SessionRunHook replica = optimizer.sessionRunHook(task == 0);
    if (supervised) {
      SupervisorOptions supervisor =
          SupervisorOptions.chief()
              .withChief(task == 0)
              .withLogdir(logdir)
              .withSaveModelEvery(SAVE_EVERY)
              .withHooks(replica);
      Supervisor.of(tf, supervisor).run(opener, this::loop);
    } else {
      MonitoredTrainingOptions training =
          MonitoredTrainingOptions.chief()
              .withChief(task == 0)
              .withOutput(ChiefOutput.to(logdir).withSaveCheckpoint(Interval.of(SAVE_EVERY)));
      try (MonitoredSession session =
          MonitoredTrainingSession.open(tf, opener, training, List.of(replica))) {
        session.repeatUntilStop(
            s -> {
              s.run(train);
              compute();
              if (isTimeToPrint()) {
                try (StepResult result = s.run(Feeds.none(), fetches())) {
                  print(result);
                }
              }
            });
      }
    }
  }

  private void loop(ManagedSession managed) {
    while (!managed.shouldStop()) {
      managed.session().run(train);
      compute();
      if (isTimeToPrint()) {
        try (StepResult result = managed.session().run(Map.of(), fetches(), List.of())) {
          print(result);
        }
      }
    }
  }

  /**
   * Stands in for the gradients of a larger model, on a machine of its own: five processes that
   * step without a pause would keep restarted ones from the cores.
   */
  private static void compute() {
    LockSupport.parkNanos(COMPUTATION.toNanos());
  }

  private List<Output> fetches() {
    List<Output> all = new ArrayList<>(weights);
    all.add(globalStep.value());
    return all;
  }

  private boolean isTimeToPrint() {
    long now = System.nanoTime();
    if (printed != 0 && now - printed < PRINT_EVERY.toNanos()) {
      return false;
    }
    printed = now;
    return true;
  }

  private void print(StepResult result) {
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (int i = 0; i < weights.size(); i++) {
      long updates = Math.round(-result.get(i).floatValue() / UNIT);
      low = Math.min(low, updates);
      high = Math.max(high, updates);
    }
    System.out.println("step " + result.get(weights.size()).longValue() + " " + low + " " + high);
  }
}
