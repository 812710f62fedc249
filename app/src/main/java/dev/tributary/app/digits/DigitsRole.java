package dev.tributary.app.digits;

/**
 * The role of a process in a training.
 *
 * @param task the number of this worker
 */
record DigitsRole(int parameterServers, int workers, int task) {
  /** The only process. */
  static DigitsRole alone() {
    return new DigitsRole(0, 1, 0);
  }

  boolean isAlone() {
    return parameterServers == 0;
  }

  boolean isChief() {
    return task == 0;
  }
}
