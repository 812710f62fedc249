package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableDefinition;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.hook.Interval;
import dev.tributary.train.hook.SessionRunArgs;
import dev.tributary.train.hook.SessionRunContext;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.SessionRunValues;
import dev.tributary.train.variable.GraphKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hook that stops training when evaluations stop getting better, or are good enough. The chief
 * looks at the events of the evaluations; all workers stop by a variable that it sets. A hook is
 * for one run; {@code with} methods return another one.
 *
 * <pre>{@code
 * TrainSpec.of(input).withHook(EarlyStopping.stopIfNoDecrease(model, "loss", 1000))
 * }</pre>
 */
public final class EarlyStopping implements SessionRunHook {
  private static final Logger LOG = LoggerFactory.getLogger(EarlyStopping.class);
  private static final String VARIABLE = "signal_early_stopping/STOP";

  /** Judges the values of a metric, by step. */
  @FunctionalInterface
  private interface Condition {
    boolean isMet(SortedMap<Long, Double> values);
  }

  private final String description;
  private final String metric;
  private final Condition condition;
  private final boolean isChief;
  private final Path events;
  private final long minSteps;
  private final Interval interval;
  private final Triggers triggers;
  private Variable stop;
  private Operation set;

  /** The moments at which the chief looks. */
  private static final class Triggers {
    private long lastNanos = System.nanoTime();
    private long steps;

    boolean isDue(Interval interval) {
      steps++;
      boolean isDue =
          interval.steps().isPresent()
              ? steps >= interval.steps().getAsLong()
              : System.nanoTime() - lastNanos >= interval.time().orElseThrow().toNanos();
      if (isDue) {
        steps = 0;
        lastNanos = System.nanoTime();
      }
      return isDue;
    }
  }

  private EarlyStopping(
      String description,
      String metric,
      Condition condition,
      boolean isChief,
      Path events,
      long minSteps,
      Interval interval) {
    this.description = description;
    this.metric = metric;
    this.condition = condition;
    this.isChief = isChief;
    this.events = events;
    this.minSteps = minSteps;
    this.interval = interval;
    this.triggers = new Triggers();
  }

  private static EarlyStopping of(
      Estimator<?> estimator, String metric, String description, Condition condition) {
    return new EarlyStopping(
        description,
        metric,
        condition,
        estimator.config().task().isChief(),
        estimator.evalDir(""),
        0,
        Interval.of(Duration.ofSeconds(60)));
  }

  /** Stops when a metric has not become smaller for a number of steps. */
  public static EarlyStopping stopIfNoDecrease(
      Estimator<?> estimator, String metric, long maxStepsWithout) {
    return of(
        estimator,
        metric,
        metric + " has not decreased for " + maxStepsWithout + " steps",
        values -> isStale(values, maxStepsWithout, -1));
  }

  /** Stops when a metric has not become larger for a number of steps. */
  public static EarlyStopping stopIfNoIncrease(
      Estimator<?> estimator, String metric, long maxStepsWithout) {
    return of(
        estimator,
        metric,
        metric + " has not increased for " + maxStepsWithout + " steps",
        values -> isStale(values, maxStepsWithout, 1));
  }

  /** Stops when a metric is above a threshold. */
  public static EarlyStopping stopIfHigher(
      Estimator<?> estimator, String metric, double threshold) {
    return of(
        estimator,
        metric,
        metric + " is higher than " + threshold,
        values -> values.values().stream().anyMatch(value -> value > threshold));
  }

  /** Stops when a metric is below a threshold. */
  public static EarlyStopping stopIfLower(Estimator<?> estimator, String metric, double threshold) {
    return of(
        estimator,
        metric,
        metric + " is lower than " + threshold,
        values -> values.values().stream().anyMatch(value -> value < threshold));
  }

  /**
   * @param sign 1 if larger is better, -1 if smaller is
   */
  private static boolean isStale(SortedMap<Long, Double> values, long maxSteps, int sign) {
    double best = Double.NEGATIVE_INFINITY;
    long bestStep = 0;
    for (Map.Entry<Long, Double> value : values.entrySet()) {
      if (sign * value.getValue() > best) {
        best = sign * value.getValue();
        bestStep = value.getKey();
      } else if (value.getKey() - bestStep >= maxSteps) {
        return true;
      }
    }
    return false;
  }

  /** Returns a hook that ignores evaluations of earlier steps. */
  public EarlyStopping withMinSteps(long steps) {
    return new EarlyStopping(description, metric, condition, isChief, events, steps, interval);
  }

  /** Returns a hook that looks at the events of another folder than {@code eval}. */
  public EarlyStopping withEvents(Path folder) {
    return new EarlyStopping(description, metric, condition, isChief, folder, minSteps, interval);
  }

  /** Returns a hook that looks at another interval than a minute; steps are those of the chief. */
  public EarlyStopping withInterval(Interval newInterval) {
    return new EarlyStopping(
        description, metric, condition, isChief, events, minSteps, newInterval);
  }

  @Override
  public void begin(Ops tf) {
    if (tf.graph().find(VARIABLE).isPresent()) {
      throw TributaryException.failedPrecondition(
          "a training has two hooks of early stopping; join their conditions in one");
    }
    stop =
        tf.state.variable(
            VariableDefinition.of(
                VARIABLE, DataType.BOOL, Shape.scalar(), List.of(GraphKeys.GLOBAL_VARIABLES)),
            beside -> beside.constant(false));
    set = stop.in(tf).assign(tf.constant(true));
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    return SessionRunArgs.fetching(stop.value());
  }

  @Override
  public void afterRun(SessionRunContext context, SessionRunValues values) {
    if (values.results().get(0).booleanValue()) {
      context.requestStop();
    } else if (isChief && triggers.isDue(interval)) {
      stopIfMet(context.session(), context);
    }
  }

  private void stopIfMet(Session session, SessionRunContext context) {
    if (condition.isMet(EvalEvents.of(events, metric).tailMap(minSteps))) {
      LOG.info("training stops early: {}", description);
      session.run(set);
      context.requestStop();
    }
  }
}
