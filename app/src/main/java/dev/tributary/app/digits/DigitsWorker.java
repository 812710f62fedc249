package dev.tributary.app.digits;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.GraphVariable;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * One worker of an asynchronous training on a cluster. Each has the whole network with its
 * variables on the parameter servers, and changes them without regard to the others. Worker 0, the
 * chief, gives them their first values, and tests the network when all have finished. Workers tell
 * each other nothing but through variables.
 */
final class DigitsWorker {
  private static final Duration START_LIMIT = Duration.ofMinutes(5);
  private static final Duration FINISH_LIMIT = Duration.ofMinutes(30);
  private static final Duration POLL = Duration.ofMillis(50);

  private final DigitsSettings settings;
  private final int workers;
  private final int task;
  private final Ops tf;
  private final GraphVariable finished;
  private final DigitsNetwork network;
  private final Operation finish;
  private final Output ready;

  DigitsWorker(DigitsSettings settings, int parameterServers, int workers, int task) {
    this.settings = settings;
    this.workers = workers;
    this.task = task;
    tf = Ops.create().withDeviceFunction(new ReplicaDevices(parameterServers, task));
    tf.graph().setSeed(settings.seed());
    finished = tf.state.untrainedVariable("finished_workers", tf.constant(0));
    network = DigitsNetwork.build(tf, settings.data(), settings.rate());
    finish = finished.assignAdd(tf.constant(1));
    ready = allInitialized(tf);
  }

  /** Does this worker's share of the steps. The chief's report tells the test's result. */
  DigitsReport run(String target, Progress progress) {
    SessionOptions options =
        SessionOptions.defaults()
            .withCluster(
                ClusterOptions.defaults()
                    // Workers start and finish when they like: none waits for another.
                    .withDeviceFilters("/job:ps", "/job:worker/task:" + task));
    try (Graph graph = tf.graph();
        Session session = Session.open(target, graph, options)) {
      if (isChief()) {
        session.run(network.initialize());
      }
      await("worker 0 to set the first values", START_LIMIT, () -> booleanOf(session, ready));
      DigitsTraining training =
          new DigitsTraining(
              network, session, settings.data(), settings.batch(), settings.seed() + task);
      int steps = settings.stepsOf(task, workers);
      long start = System.nanoTime();
      float loss = training.train(steps, progress);
      double seconds = (System.nanoTime() - start) / 1e9;
      session.run(finish);
      int correct = isChief() ? testWhenAllHaveFinished(session, training) : 0;
      return new DigitsReport(steps, steps * settings.batch(), seconds, loss, correct);
    }
  }

  boolean isChief() {
    return task == 0;
  }

  private int testWhenAllHaveFinished(Session session, DigitsTraining training) {
    await(
        "the other workers to finish",
        FINISH_LIMIT,
        () -> {
          try (StepResult result = session.runner().fetch(finished.value()).run()) {
            return result.get(0).intValue() >= workers;
          }
        });
    return training.test();
  }

  private static Output allInitialized(Ops tf) {
    List<Output> each =
        GraphVariable.all(tf.graph()).stream()
            .map(variable -> tf.state.varIsInitializedOp(variable.handle()))
            .toList();
    return tf.reduce.all(tf.join.stack(each.toArray(new Output[0])));
  }

  private static boolean booleanOf(Session session, Output condition) {
    try (StepResult result = session.runner().fetch(condition).run()) {
      return result.get(0).booleanValue();
    }
  }

  private static void await(String what, Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new TributaryException(
            ErrorCode.DEADLINE_EXCEEDED, "waited " + limit.toSeconds() + " s for " + what);
      }
      try {
        Thread.sleep(POLL.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new TributaryException(ErrorCode.CANCELLED, "interrupted while waiting for " + what);
      }
    }
  }
}
