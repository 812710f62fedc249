package dev.tributary.train.hook;

import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.variable.GlobalStep;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A hook that stops training when all workers together have made a number of steps. If they have
 * made them when the session begins, no step runs: a finished run stays finished when it is started
 * again.
 */
public final class StopAtStepHook implements SessionRunHook {
  private static final Logger LOG = LoggerFactory.getLogger(StopAtStepHook.class);

  private final Variable globalStep;
  private final OptionalLong more;
  private OptionalLong last;

  private StopAtStepHook(Variable globalStep, OptionalLong more, OptionalLong last) {
    this.globalStep = globalStep;
    this.more = more;
    this.last = last;
  }

  /** Returns a hook that stops at this global step. */
  public static StopAtStepHook lastStep(Variable globalStep, long step) {
    return new StopAtStepHook(globalStep, OptionalLong.empty(), OptionalLong.of(step));
  }

  /** Returns a hook that stops this many steps after the first session was created. */
  public static StopAtStepHook numSteps(Variable globalStep, long steps) {
    return new StopAtStepHook(globalStep, OptionalLong.of(steps), OptionalLong.empty());
  }

  @Override
  public void afterCreateSession(Session session, Coordinator coordinator) {
    if (last.isEmpty()) {
      last = OptionalLong.of(GlobalStep.read(session, globalStep) + more.getAsLong());
    }
  }

  @Override
  public boolean isDone(Session session) {
    long step = GlobalStep.read(session, globalStep);
    boolean isDone = step >= last.getAsLong();
    if (isDone) {
      LOG.info(
          "nothing left to train: the global step is {}, and {} is the last",
          step,
          last.getAsLong());
    }
    return isDone;
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    return SessionRunArgs.fetching(globalStep.value());
  }

  /** The fetched value may be from before the step's own update, so a near one is read again. */
  @Override
  public void afterRun(SessionRunContext context, SessionRunValues values) {
    long limit = last.getAsLong();
    if (values.results().get(0).getIndex(0) + 1 >= limit
        && GlobalStep.read(context.session(), globalStep) >= limit) {
      context.requestStop();
    }
  }
}
