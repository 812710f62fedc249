package dev.tributary.app.digits;

/** Shows how a training gets on; closed at its end. Safe for use by many threads. */
interface Progress extends AutoCloseable {
  /** Shows what happens before the first step, such as "starting ps 0". */
  void status(String text);

  /**
   * Shows a step.
   *
   * @param globalStep that all workers have made together
   * @param loss of the batch of one of them
   */
  void step(long globalStep, float loss);

  /** Prints a line that stays. */
  void line(String text);

  @Override
  void close();
}
