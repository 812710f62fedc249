package dev.tributary.internal.executor;

/** The general executor, also for graphs that have a fixed order. */
class StepExecutionTest extends ExecutorContract {
  StepExecutionTest() {
    super(false);
  }
}
