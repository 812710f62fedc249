package dev.tributary.train.hook;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Variable;
import dev.tributary.record.EventWriter;
import dev.tributary.session.Session;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A hook that writes a summary of the first step and then of one step each interval. */
public final class SummarySaverHook implements SessionRunHook {
  private final Output summary;
  private final EventWriter events;
  private final StepReader steps;
  private final Interval interval;
  private final boolean marksStart;
  private final StepTimer timer;
  private OptionalLong nextStep = OptionalLong.empty();

  private SummarySaverHook(
      Output summary, EventWriter events, StepReader steps, Interval interval, boolean marksStart) {
    this.summary = summary;
    this.events = events;
    this.steps = steps;
    this.interval = interval;
    this.marksStart = marksStart;
    this.timer = new StepTimer(interval);
  }

  /**
   * @param summary the bytes of a Summary, such as {@code Summaries.mergeAll} returns
   * @param events stays open
   */
  public SummarySaverHook(
      Operand summary, EventWriter events, Variable globalStep, Interval interval) {
    this(summary.asOutput(), events, new StepReader(Optional.of(globalStep)), interval, true);
  }

  /**
   * Returns a hook for a graph without a global step; all its summaries are of step 0.
   *
   * @param summary the bytes of a Summary, such as {@code Summaries.mergeAll} returns
   * @param events stays open
   * @param interval a time
   */
  public static SummarySaverHook withoutGlobalStep(
      Operand summary, EventWriter events, Interval interval) {
    return new SummarySaverHook(
        summary.asOutput(), events, new StepReader(Optional.empty()), interval, true);
  }

  /**
   * Returns a hook that does not mark the start of a session in the event file, for a caller that
   * does so itself. Readers discard events from before a mark, if they are of the same step or
   * later.
   */
  public SummarySaverHook withoutStartMark() {
    return new SummarySaverHook(summary, events, steps, interval, false);
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    List<Output> fetches = new ArrayList<>(steps.fetches());
    if (nextStep.isEmpty() || steps.isDue(timer, nextStep.getAsLong())) {
      fetches.add(summary);
    }
    return SessionRunArgs.none().withFetches(fetches);
  }

  /** The step is read again for a summary, since the fetched value may be from before it. */
  @Override
  public void afterRun(SessionRunContext context, SessionRunValues values) {
    List<Tensor> results = values.results();
    long step = steps.fetched(values) + 1;
    if (results.size() > steps.fetches().size()) {
      step = steps.read(context.session());
      if (marksStart && nextStep.isEmpty()) {
        events.sessionStart(step);
      }
      timer.triggered(step);
      events.summary((byte[]) results.get(results.size() - 1).objects()[0], step);
    }
    nextStep = OptionalLong.of(step + 1);
  }

  @Override
  public void end(Session session) {
    events.flush();
  }
}
