package dev.tributary.executor;

import dev.tributary.kernel.Step;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs executable graphs. A step starts on the calling thread, which runs ready nodes inline and
 * leaves expensive ones to the pool when others are ready; asynchronous kernels complete by
 * callback. Safe for use by many threads.
 */
public final class Executor {
  private final java.util.concurrent.Executor pool;

  public Executor(java.util.concurrent.Executor pool) {
    this.pool = pool;
  }

  /**
   * Prepares one step. {@code done} is called once, by whichever thread ends the last node, with
   * the first failure if there was one; the step's results are then complete, and nothing of the
   * step is held any more.
   */
  public StepExecution prepare(
      ExecutableGraph graph,
      Step step,
      Optional<StepTracer> tracer,
      Consumer<Optional<RuntimeException>> done) {
    return new StepExecution(graph, step, pool, tracer, done);
  }
}
