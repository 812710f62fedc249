package dev.tributary.app.census;

import dev.tributary.app.http.Monitoring;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.train.hook.SessionRunArgs;
import dev.tributary.train.hook.SessionRunContext;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.SessionRunValues;
import dev.tributary.train.variable.GlobalStep;
import java.time.Duration;

/** A hook that shows training steps in the metrics of the process. Confined to one thread. */
final class MeteredSteps implements SessionRunHook {
  private final Monitoring monitoring;
  private Output globalStep;
  private long startNanos;

  MeteredSteps(Monitoring monitoring) {
    this.monitoring = monitoring;
  }

  @Override
  public void begin(Ops tf) {
    globalStep = GlobalStep.getOrCreate(tf).asOutput();
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    startNanos = System.nanoTime();
    return SessionRunArgs.fetching(globalStep);
  }

  @Override
  public void afterRun(SessionRunContext context, SessionRunValues values) {
    monitoring.stepped(
        values.results().get(0).longValue(), Duration.ofNanos(System.nanoTime() - startNanos));
  }
}
