package dev.tributary.train.hook;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.session.wire.StepStatsProtos;
import dev.tributary.ops.Variable;
import dev.tributary.record.EventWriter;
import dev.tributary.session.RunOptions;
import dev.tributary.trace.ChromeTrace;
import dev.tributary.trace.StepTrace;
import dev.tributary.train.variable.GlobalStep;
import java.util.OptionalLong;
import org.tensorflow.proto.RunMetadata;

/**
 * A hook that traces one step each interval, but not the first, which compiles. It writes a file
 * {@code timeline-step.json} for {@code chrome://tracing} beside an event file, and run metadata to
 * the event file.
 */
public final class ProfilerHook implements SessionRunHook {
  private final EventWriter events;
  private final Variable globalStep;
  private final StepTimer timer;
  private OptionalLong nextStep = OptionalLong.empty();
  private boolean requested;

  /**
   * @param events stays open; timelines go to its folder
   */
  public ProfilerHook(EventWriter events, Variable globalStep, Interval interval) {
    this.events = events;
    this.globalStep = globalStep;
    this.timer = new StepTimer(interval);
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    requested = nextStep.isPresent() && timer.shouldTrigger(nextStep.getAsLong());
    SessionRunArgs step = SessionRunArgs.fetching(globalStep.value());
    return requested ? step.withOptions(RunOptions.defaults().withTrace()) : step;
  }

  @Override
  public void afterRun(SessionRunContext context, SessionRunValues values) {
    long stale = values.results().get(0).getIndex(0);
    long step = stale + 1;
    if (nextStep.isEmpty()) {
      timer.triggered(stale);
    } else if (requested) {
      step = GlobalStep.read(context.session(), globalStep);
      timer.triggered(step);
      write(
          values
              .trace()
              .orElseThrow(() -> TributaryException.internal("the session gave no trace")),
          step);
    }
    nextStep = OptionalLong.of(step + 1);
  }

  private void write(StepTrace trace, long step) {
    new ChromeTrace(trace).write(events.path().resolveSibling("timeline-" + step + ".json"));
    RunMetadata metadata =
        RunMetadata.newBuilder().setStepStats(StepStatsProtos.toProto(trace)).build();
    events.runMetadata("step_" + step, metadata.toByteArray(), step);
    events.flush();
  }
}
