package dev.tributary.train.monitored;

import dev.tributary.ops.GraphVariable;
import dev.tributary.session.Session;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.queue.Coordinator;
import dev.tributary.train.saver.Saver;
import java.nio.file.Path;
import java.util.List;

/** Saves at the start, whenever its timer says so, and at the end. */
public final class CheckpointSaverHook implements SessionRunHook {
  private final Saver saver;
  private final Path prefix;
  private final GraphVariable globalStep;
  private final StepTimer timer;

  /**
   * @param folder where checkpoints go, called {@code model.ckpt-step}
   */
  public CheckpointSaverHook(Saver saver, Path folder, GraphVariable globalStep, StepTimer timer) {
    this.saver = saver;
    this.prefix = folder.resolve("model.ckpt");
    this.globalStep = globalStep;
    this.timer = timer;
  }

  @Override
  public void afterCreateSession(Session session, Coordinator coordinator) {
    save(session, GlobalSteps.read(session, globalStep));
  }

  @Override
  public SessionRunArgs beforeRun(SessionRunContext context) {
    return SessionRunArgs.fetching(globalStep.value());
  }

  /** The fetched value may be from before the step's own update. */
  @Override
  public void afterRun(SessionRunContext context, List<Tensor> values) {
    if (timer.shouldTrigger(values.get(0).getIndex(0) + 1)) {
      long step = GlobalSteps.read(context.session(), globalStep);
      if (timer.shouldTrigger(step)) {
        save(context.session(), step);
      }
    }
  }

  @Override
  public void end(Session session) {
    long step = GlobalSteps.read(session, globalStep);
    if (timer.lastStep().isEmpty() || timer.lastStep().getAsLong() != step) {
      save(session, step);
    }
  }

  private void save(Session session, long step) {
    saver.save(session, prefix, step);
    timer.triggered(step);
  }
}
