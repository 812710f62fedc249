package dev.tributary.executor;

import dev.tributary.kernel.Step;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs executable graphs. A step starts on the calling thread. If the graph has no control flow and
 * nothing asynchronous, that thread runs node after node in a fixed order. Otherwise it runs ready
 * nodes inline and leaves expensive ones to the pool when others are ready; asynchronous kernels
 * complete by callback. Safe for use by many threads.
 */
public final class Executor {
  private final java.util.concurrent.Executor pool;
  private final boolean fixedOrder;

  /**
   * @param fixedOrder whether graphs that can run in a fixed order do
   */
  public Executor(java.util.concurrent.Executor pool, boolean fixedOrder) {
    this.pool = pool;
    this.fixedOrder = fixedOrder;
  }

  /**
   * Prepares one step. {@code done} is called once, by whichever thread ends the last node, with
   * the first failure if there was one; the step's results are then complete, and nothing else of
   * the step is held any more. Results of a failed step are the caller's to release, as other
   * graphs may still write to the same call frame.
   */
  public StepRun prepare(
      ExecutableGraph graph,
      Step step,
      Optional<StepTracer> tracer,
      Consumer<Optional<RuntimeException>> done) {
    graph.device.activity().stepBegins();
    if (fixedOrder && graph.fixedOrder.isPresent()) {
      return new FixedOrderRun(graph, graph.fixedOrder.get(), step, pool, tracer, done);
    }
    return new StepExecution(graph, step, pool, tracer, done);
  }
}
