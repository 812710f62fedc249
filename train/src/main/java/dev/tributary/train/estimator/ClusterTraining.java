package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.session.TaskServer;
import dev.tributary.session.TaskServerOptions;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of one task of a cluster in a training. The chief and the workers train; parameter
 * servers hold variables until these are done; the evaluator follows the checkpoints. Any of them
 * may be killed and started again. Confined to one thread.
 */
final class ClusterTraining {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterTraining.class);
  private static final Duration POLL = Duration.ofSeconds(1);

  /** The time that workers have to end when the chief has. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  /** The time between the starts of two workers, so that not all build their graphs at once. */
  private static final Duration WORKER_DELAY = Duration.ofSeconds(5);

  private final Estimator<?> estimator;
  private final TrainSpec train;
  private final ModelWatch watch;
  private final TfConfig task;
  private final TrainingEnd end;

  ClusterTraining(Estimator<?> estimator, TrainSpec train, ModelWatch watch) {
    this.estimator = estimator;
    this.train = train;
    this.watch = watch;
    this.task = estimator.config().task();
    this.end = TrainingEnd.of(estimator, train);
  }

  TrainingResult run() {
    try {
      switch (task.type()) {
        case TfConfig.PS -> holdVariables();
        case TfConfig.EVALUATOR -> evaluate();
        default -> train();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw TributaryException.cancelled("%s was interrupted", task.device());
    }
    return watch.result();
  }

  private void train() throws InterruptedException {
    if (task.target().isEmpty()) {
      trainAs();
      return;
    }
    try (TaskServer server = start()) {
      delay();
      trainAs();
      server.complete();
    }
  }

  /** The old job {@code master} is a chief that evaluates, too. */
  private void trainAs() {
    if (task.type().equals(TfConfig.MASTER)) {
      new LocalTraining(estimator, train, watch).run();
    } else {
      new TrainingRun(estimator, train, end).run();
    }
    if (task.isChief()) {
      end.mark();
    }
  }

  private void delay() throws InterruptedException {
    if (task.isChief()) {
      return;
    }
    Duration wanted = WORKER_DELAY.multipliedBy(task.worker());
    Duration most = estimator.config().maxWorkerDelay();
    Thread.sleep((wanted.compareTo(most) < 0 ? wanted : most).toMillis());
  }

  private void holdVariables() throws InterruptedException {
    try (TaskServer server = start()) {
      String chief = task.cluster().containsKey(TfConfig.CHIEF) ? TfConfig.CHIEF : TfConfig.MASTER;
      server.stopWhenDone(chief, GRACE);
      // A server that was started again has not heard of tasks that were done before.
      while (!server.join(POLL)) {
        if (end.isReached()) {
          server.join(GRACE);
          LOG.info("{}: training has ended", task.device());
          return;
        }
      }
    }
  }

  private TaskServer start() {
    RunConfig config = estimator.config();
    return TaskServer.start(
        new TaskServerOptions(
            task.cluster(),
            task.type(),
            task.index(),
            config.session().cluster().security(),
            config.insecure()));
  }

  private void evaluate() throws InterruptedException {
    waitUntil(Instant.now().plus(watch.spec().startDelay()));
    while (true) {
      Instant began = Instant.now();
      // Looked at first: the last checkpoint is written before training has ended.
      boolean isEnded = end.isReached();
      watch.evaluateLatest(isEnded);
      if (isEnded) {
        return;
      }
      Instant next = began.plus(watch.spec().throttle());
      Instant poll = began.plus(POLL);
      waitUntil(next.isAfter(poll) ? next : poll);
    }
  }

  /** Waits for a time, or for the end of training. */
  private void waitUntil(Instant time) throws InterruptedException {
    while (Instant.now().isBefore(time) && !end.isReached()) {
      Duration left = Duration.between(Instant.now(), time);
      Thread.sleep(Math.max(1, Math.min(left.toMillis(), POLL.toMillis())));
    }
  }
}
