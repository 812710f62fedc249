package dev.tributary.cluster.chaos;

/** What can happen to a task. */
enum Fault {
  /** {@code kill -9}. */
  KILL,
  /** {@code kill -9}, and a new process takes its place at once. */
  RESTART,
  /** The process is stopped, and its connections stay open. */
  FREEZE,
  /** Nothing that others send arrives, nor do answers. */
  CUT,
  /** All that others send, and all answers, take longer. */
  DELAY;

  /** Whether what the task had in memory is gone. */
  boolean forgets() {
    return this == KILL || this == RESTART;
  }

  /** Whether steps that need the task must fail. */
  boolean breaks() {
    return this != DELAY;
  }
}
