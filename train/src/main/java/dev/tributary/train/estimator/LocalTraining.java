package dev.tributary.train.estimator;

import dev.tributary.session.Session;
import dev.tributary.train.hook.CheckpointSaverListener;

/** Training and evaluation in turns, in one process. Confined to one thread. */
final class LocalTraining {
  private final Estimator<?> estimator;
  private final TrainSpec train;
  private final ModelWatch watch;

  LocalTraining(Estimator<?> estimator, TrainSpec train, ModelWatch watch) {
    this.estimator = estimator;
    this.train = train;
    this.watch = watch;
  }

  TrainingResult run() {
    TrainSpec evaluated = train.withSavingListener(new Listener());
    if (new TrainingRun(estimator, evaluated).run()) {
      watch.evaluateLatest(true);
    }
    return watch.result();
  }

  /** Evaluates each checkpoint but the first of a session, which holds what it began with. */
  private final class Listener implements CheckpointSaverListener {
    private boolean isFirst = true;

    @Override
    public boolean afterSave(Session session, long globalStep) {
      if (!isFirst && watch.isDue()) {
        watch.evaluateLatest(false);
      }
      isFirst = false;
      return false;
    }
  }
}
