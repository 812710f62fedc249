package dev.tributary.train.hook;

import dev.tributary.ops.Variable;
import dev.tributary.record.EventWriter;
import dev.tributary.session.Session;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.variable.GlobalStep;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hook that measures the steps per second of all workers together: it writes a scalar {@code
 * global_step/sec} and logs a line each interval. It warns if the step does not grow.
 */
public final class StepCounterHook implements SessionRunHook {
  private static final Logger LOG = LoggerFactory.getLogger(StepCounterHook.class);
  private static final int RUNS_WITHOUT_GROWTH = 20;

  private final EventWriter events;
  private final Variable globalStep;
  private final Interval interval;
  private final String tag;
  private StepTimer timer;
  private OptionalLong lastStep = OptionalLong.empty();
  private int runsWithoutGrowth;

  /**
   * @param events stays open
   */
  public StepCounterHook(EventWriter events, Variable globalStep, Interval interval) {
    this.events = events;
    this.globalStep = globalStep;
    this.interval = interval;
    this.tag = globalStep.name() + "/sec";
    this.timer = new StepTimer(interval);
  }

  /** Starts again, since the step may have gone back to that of a checkpoint. */
  @Override
  public void afterCreateSession(Session session, Coordinator coordinator) {
    timer = new StepTimer(interval);
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    return SessionRunArgs.fetching(globalStep.value());
  }

  @Override
  public void afterRun(SessionRunContext context, SessionRunValues values) {
    long stale = values.results().get(0).getIndex(0);
    if (timer.shouldTrigger(stale + 1)) {
      long step = GlobalStep.read(context.session(), globalStep);
      if (timer.shouldTrigger(step)) {
        timer.triggered(step).ifPresent(elapsed -> report(elapsed, step));
      }
    }
    warnIfSame(stale);
  }

  private void report(StepTimer.Elapsed elapsed, long step) {
    double speed = elapsed.stepsPerSecond();
    LOG.info("{}: {} at step {}", tag, speed, step);
    events.scalar(tag, (float) speed, step);
    events.flush();
  }

  private void warnIfSame(long step) {
    boolean same = lastStep.equals(OptionalLong.of(step));
    lastStep = OptionalLong.of(step);
    runsWithoutGrowth = same ? runsWithoutGrowth + 1 : 0;
    if (runsWithoutGrowth == RUNS_WITHOUT_GROWTH) {
      LOG.warn(
          "{} is still {} after {} steps: does the training operation increment it?",
          globalStep.name(),
          step,
          RUNS_WITHOUT_GROWTH);
      runsWithoutGrowth = 0;
    }
  }
}
