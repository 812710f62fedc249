package dev.tributary.train.hook;

import dev.tributary.event.EventWriter;
import dev.tributary.event.SessionStatus;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.OptionalLong;

/** Writes a summary of the first step and then of one step each interval. */
public final class SummarySaverHook implements SessionRunHook {
  private final Output summary;
  private final EventWriter events;
  private final Variable globalStep;
  private final StepTimer timer;
  private OptionalLong nextStep = OptionalLong.empty();

  /**
   * @param summary the bytes of a Summary, such as {@code Summaries.mergeAll} gives
   * @param events stays the caller's
   */
  public SummarySaverHook(
      Operand summary, EventWriter events, Variable globalStep, Interval interval) {
    this.summary = summary.asOutput();
    this.events = events;
    this.globalStep = globalStep;
    this.timer = new StepTimer(interval);
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    boolean wanted = nextStep.isEmpty() || timer.shouldTrigger(nextStep.getAsLong());
    return wanted
        ? SessionRunArgs.fetching(globalStep.value(), summary)
        : SessionRunArgs.fetching(globalStep.value());
  }

  /** The step is read again for a summary, since the fetched value may be from before it. */
  @Override
  public void afterRun(SessionRunContext context, SessionRunValues values) {
    List<Tensor> results = values.results();
    long step = results.get(0).getIndex(0) + 1;
    if (results.size() > 1) {
      step = GlobalSteps.read(context.session(), globalStep);
      if (nextStep.isEmpty()) {
        events.sessionLog(SessionStatus.START, step);
      }
      timer.triggered(step);
      events.summary((byte[]) results.get(1).objects()[0], step);
    }
    nextStep = OptionalLong.of(step + 1);
  }

  @Override
  public void end(Session session) {
    events.flush();
  }
}
