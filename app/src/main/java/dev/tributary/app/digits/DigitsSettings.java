package dev.tributary.app.digits;

import dev.tributary.session.BackendChoice;

/** What all ways of training have in common. */
record DigitsSettings(
    DigitData data, int epochs, int batch, float rate, int seed, BackendChoice backend) {
  /** All steps of the training. */
  int steps() {
    return epochs * ((data.training().size() + batch - 1) / batch);
  }

  /** One worker's share of the steps: they divide them as evenly as they go. */
  int stepsOf(int worker, int workers) {
    return steps() / workers + (worker < steps() % workers ? 1 : 0);
  }
}
