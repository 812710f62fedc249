package dev.tributary.internal.executor;

import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.time.Ticker;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs executable graphs. A step starts on the calling thread. If the graph has a {@link
 * FixedOrder}, that thread runs node after node in it. Otherwise it runs ready nodes inline and
 * leaves expensive ones to the pool when others are ready; asynchronous kernels complete by
 * callback. On threads of the pool it makes room for other steps after a while; see {@link
 * TimeSlice}. Safe for use by many threads.
 */
public final class Executor {
  private final java.util.concurrent.Executor pool;
  private final Ticker ticker;
  private final boolean fixedOrder;

  /** An executor on the time of this process. */
  public Executor(java.util.concurrent.Executor pool, boolean fixedOrder) {
    this(pool, Ticker.SYSTEM, fixedOrder);
  }

  /**
   * @param ticker the time by which steps make room for others
   * @param fixedOrder whether graphs that can run in a fixed order do
   */
  public Executor(java.util.concurrent.Executor pool, Ticker ticker, boolean fixedOrder) {
    this.pool = pool;
    this.ticker = ticker;
    this.fixedOrder = fixedOrder;
  }

  /** The threads of the pool, for work that belongs to no step; none of them is lent. */
  public java.util.concurrent.Executor pool() {
    return pool instanceof StepThreads threads ? threads::executeElsewhere : pool;
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
      return new FixedOrderRun(graph, graph.fixedOrder.get(), step, pool, ticker, tracer, done);
    }
    return new StepExecution(graph, step, pool, ticker, tracer, done);
  }
}
