package dev.tributary.executor;

import dev.tributary.kernel.Step;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * One step of a graph with a {@link FixedOrder}: node after node on one thread, without counters,
 * locks or garbage. Gives the same results as {@link StepExecution}, which is the definition.
 */
final class FixedOrderRun implements StepRun {
  private static final VarHandle CURRENT;

  static {
    try {
      CURRENT =
          MethodHandles.lookup().findVarHandle(FixedOrderRun.class, "current", FixedNode.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ExecutableGraph graph;
  private final FixedOrder order;
  private final Step step;
  private final Executor pool;
  private final Optional<StepTracer> tracer;
  private final Consumer<Optional<RuntimeException>> done;

  /** The node that runs: only to tell what a step hangs on, so no thread waits to see it. */
  private FixedNode current;

  FixedOrderRun(
      ExecutableGraph graph,
      FixedOrder order,
      Step step,
      Executor pool,
      Optional<StepTracer> tracer,
      Consumer<Optional<RuntimeException>> done) {
    this.graph = graph;
    this.order = order;
    this.step = step;
    this.pool = pool;
    this.tracer = tracer;
    this.done = done;
  }

  @Override
  public void start() {
    FixedWorkspace workspace = order.take();
    workspace.begin(step);
    try {
      if (tracer.isPresent()) {
        runTraced(workspace, tracer.get());
      } else {
        run(workspace);
      }
    } catch (RuntimeException | Error e) {
      step.cancellation().cancel(StepEnding.located(current.item, graph.device, e));
    }
    CURRENT.setOpaque(this, null);
    StepEnding.end(step, () -> giveBack(workspace), done);
  }

  @Override
  public void startOnPool() {
    StepEnding.onPool(pool, this::start);
  }

  @Override
  public List<String> outstanding(int limit) {
    FixedNode node = (FixedNode) CURRENT.getOpaque(this);
    return node == null || limit == 0 ? List.of() : List.of(node.item.toString());
  }

  private void run(FixedWorkspace workspace) {
    for (FixedNode node : order.nodes) {
      if (step.cancellation().isCancelled()) {
        return;
      }
      CURRENT.setOpaque(this, node);
      workspace.run(node);
    }
  }

  private void runTraced(FixedWorkspace workspace, StepTracer to) {
    for (FixedNode node : order.nodes) {
      if (step.cancellation().isCancelled()) {
        return;
      }
      CURRENT.setOpaque(this, node);
      long start = System.nanoTime();
      workspace.run(node);
      to.add(node.item, graph.device, start, start, workspace.outputBytes());
    }
  }

  private void giveBack(FixedWorkspace workspace) {
    if (step.cancellation().isCancelled()) {
      workspace.clear();
    }
    workspace.end();
    order.giveBack(workspace);
  }
}
