package dev.tributary.internal.executor;

import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.time.Ticker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * One step of a graph with a {@link FixedOrder}: node after node on one thread at a time, without
 * counters, locks or garbage. Gives the same results as {@link StepExecution}, which is the
 * definition.
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
  private final Ticker ticker;
  private final Optional<StepTracer> tracer;
  private final Consumer<Optional<RuntimeException>> done;

  /** The running node: only to report where a step hangs, so no thread waits to see it. */
  private FixedNode current;

  /** The values so far, and the node to continue with: of the thread that runs the step. */
  private FixedWorkspace workspace;

  private int next;

  FixedOrderRun(
      ExecutableGraph graph,
      FixedOrder order,
      Step step,
      Executor pool,
      Ticker ticker,
      Optional<StepTracer> tracer,
      Consumer<Optional<RuntimeException>> done) {
    this.graph = graph;
    this.order = order;
    this.step = step;
    this.pool = pool;
    this.ticker = ticker;
    this.tracer = tracer;
    this.done = done;
  }

  @Override
  public void start() {
    begin();
    run(TimeSlice.ENDLESS);
  }

  @Override
  public void startInSlice() {
    begin();
    run(TimeSlice.begin(pool, ticker));
  }

  @Override
  public void startOnPool() {
    StepEnding.onPool(pool, this::startInSlice);
  }

  private void begin() {
    workspace = order.take();
    workspace.begin(step);
  }

  /** Runs nodes until the step or the slice ends. */
  private void run(TimeSlice slice) {
    try {
      boolean ended =
          order.hasControlFlow
              ? runFlow(slice)
              : tracer.isPresent() ? runTraced(tracer.get(), slice) : runPlain(slice);
      if (!ended) {
        StepEnding.afterSlice(slice, pool, () -> run(TimeSlice.begin(pool, ticker)));
        return;
      }
    } catch (RuntimeException | Error e) {
      step.cancellation().cancel(StepEnding.located(current.item, graph.device, e));
    }
    CURRENT.setOpaque(this, null);
    StepEnding.end(step, this::giveBack, done);
  }

  @Override
  public List<String> outstanding(int limit) {
    FixedNode node = (FixedNode) CURRENT.getOpaque(this);
    return node == null || limit == 0 ? List.of() : List.of(node.item.toString());
  }

  /** Returns whether the step has ended; else it continues with the node at {@link #next}. */
  private boolean runPlain(TimeSlice slice) {
    FixedNode[] nodes = order.nodes;
    for (int i = next; i < nodes.length; i++) {
      if (step.cancellation().isCancelled()) {
        return true;
      }
      FixedNode node = nodes[i];
      if (isTooMuch(node, slice)) {
        next = i;
        return false;
      }
      CURRENT.setOpaque(this, node);
      workspace.run(node);
      if (slice.isOver(node.item.expensive) && i + 1 < nodes.length) {
        next = i + 1;
        return false;
      }
    }
    return true;
  }

  private boolean runTraced(StepTracer to, TimeSlice slice) {
    FixedNode[] nodes = order.nodes;
    for (int i = next; i < nodes.length; i++) {
      if (step.cancellation().isCancelled()) {
        return true;
      }
      FixedNode node = nodes[i];
      if (isTooMuch(node, slice)) {
        next = i;
        return false;
      }
      CURRENT.setOpaque(this, node);
      long start = System.nanoTime();
      workspace.run(node);
      to.add(node.item, graph.device, start, start, workspace.outputBytes());
      if (slice.isOver(node.item.expensive) && i + 1 < nodes.length) {
        next = i + 1;
        return false;
      }
    }
    return true;
  }

  private boolean runFlow(TimeSlice slice) {
    FixedNode[] nodes = order.nodes;
    int i = next;
    while (i < nodes.length) {
      if (step.cancellation().isCancelled()) {
        return true;
      }
      FlowNode node = (FlowNode) nodes[i];
      if (isTooMuch(node, slice)) {
        next = i;
        return false;
      }
      CURRENT.setOpaque(this, node);
      long start = tracer.isPresent() ? System.nanoTime() : 0;
      i = workspace.runFlow(node);
      if (tracer.isPresent() && !workspace.wasDead(node)) {
        tracer.get().add(node.item, graph.device, start, start, workspace.outputBytes());
      }
      if (slice.isOver(node.item.expensive) && i < nodes.length) {
        next = i;
        return false;
      }
    }
    return true;
  }

  private boolean isTooMuch(FixedNode node, TimeSlice slice) {
    return slice.isLent() && TimeSlice.areMany(workspace.inputBytes(node), node.item.expensive);
  }

  private void giveBack() {
    if (step.cancellation().isCancelled()) {
      workspace.clear();
    }
    workspace.end();
    order.giveBack(workspace);
  }
}
