package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Ticker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evaluates checkpoints of a model that is in training and has the exporters look at the results.
 * Confined to one thread.
 */
final class ModelWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ModelWatch.class);

  private final Estimator<?> estimator;
  private final TrainSpec train;
  private final EvalSpec spec;
  private final List<Path> exports = new ArrayList<>();
  private Optional<Evaluation> last = Optional.empty();
  private long lastNanos;
  private boolean isEnded;

  ModelWatch(Estimator<?> estimator, TrainSpec train, EvalSpec spec) {
    this.estimator = estimator;
    this.train = train;
    this.spec = spec;
  }

  EvalSpec spec() {
    return spec;
  }

  /** Returns whether the time between two evaluations is over. */
  boolean isDue() {
    return last.isEmpty() || Ticker.SYSTEM.nanos() - lastNanos >= spec.throttle().toNanos();
  }

  Optional<Evaluation> last() {
    return last;
  }

  /** Evaluates the latest checkpoint unless that was done. */
  void evaluateLatest(boolean isLast) {
    Optional<Path> latest = estimator.latestCheckpoint();
    if (latest.isEmpty()) {
      return;
    }
    if (latest.equals(last.flatMap(Evaluation::checkpoint))) {
      if (isLast && !isEnded) {
        // It was evaluated before anybody knew that it is the last one.
        export(last.get(), true);
      }
      return;
    }
    lastNanos = Ticker.SYSTEM.nanos();
    try {
      evaluate(latest.get(), isLast);
    } catch (TributaryException e) {
      if (!TrainingRun.isGone(latest.get())) {
        throw e;
      }
      LOG.info("{} was deleted before it was evaluated; keep more checkpoints", latest.get());
      if (isLast) {
        evaluateLatest(true);
      }
    }
  }

  private void evaluate(Path checkpoint, boolean isLast) {
    Evaluation result = estimator.evaluate(spec.withCheckpoint(checkpoint));
    last = Optional.of(result);
    LOG.info("evaluated step {}: loss {}", result.globalStep(), result.loss());
    boolean atEnd =
        isLast
            || (train.maxSteps().isPresent()
                && result.globalStep() >= train.maxSteps().getAsLong());
    export(result, atEnd);
  }

  private void export(Evaluation result, boolean isLast) {
    isEnded |= isLast;
    Path all = estimator.modelDir().resolve("export");
    for (Exporter exporter : spec.exporters()) {
      exporter
          .export(estimator, all.resolve(exporter.name()), result, isLast)
          .ifPresent(exports::add);
    }
  }

  TrainingResult result() {
    return new TrainingResult(last, exports);
  }
}
