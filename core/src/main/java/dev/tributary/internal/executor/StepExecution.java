package dev.tributary.internal.executor;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.time.Ticker;
import dev.tributary.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * One step in progress: takes ready nodes, runs their kernels, and hands the results to {@link
 * Propagation}.
 *
 * <p>A node counts as outstanding from the moment it is ready until its results have been passed
 * on; the step ends when none is. After the first failure, ready nodes are dropped unrun, so the
 * count still goes down to zero and every value is given back. Kernels run outside the
 * propagation's lock. Each thread that works for the step has a {@link Lane} of its own.
 */
final class StepExecution implements StepRun {
  private final ExecutableGraph graph;
  private final Step step;
  private final Executor pool;
  private final Ticker ticker;
  private final Optional<StepTracer> tracer;
  private final Consumer<Optional<RuntimeException>> done;
  private final Propagation propagation;

  /**
   * Threads at work, and nodes that wait for a thread or for a callback: only to tell what a step
   * hangs on.
   */
  private final Set<Lane> lanes = ConcurrentHashMap.newKeySet();

  private final Set<ReadyNode> waiting = ConcurrentHashMap.newKeySet();

  StepExecution(
      ExecutableGraph graph,
      Step step,
      Executor pool,
      Ticker ticker,
      Optional<StepTracer> tracer,
      Consumer<Optional<RuntimeException>> done) {
    this.graph = graph;
    this.step = step;
    this.pool = pool;
    this.ticker = ticker;
    this.tracer = tracer;
    this.done = done;
    this.propagation = new Propagation(graph);
  }

  @Override
  public void start() {
    start(false);
  }

  @Override
  public void startInSlice() {
    start(true);
  }

  @Override
  public void startOnPool() {
    onPool(this::startInSlice);
  }

  private void start(boolean isOnPool) {
    List<ReadyNode> ready = propagation.start();
    if (ready.isEmpty()) {
      end();
      return;
    }
    Lane lane = new Lane(isOnPool);
    schedule(ready, lane);
    lane.drain(false);
  }

  @Override
  public List<String> outstanding(int limit) {
    Set<String> names = new LinkedHashSet<>();
    for (Lane lane : lanes) {
      NodeItem current = lane.current;
      if (current != null) {
        names.add(current.toString());
      }
    }
    for (ReadyNode ready : waiting) {
      names.add(ready.node.toString());
    }
    return names.stream().limit(limit).toList();
  }

  /** Gives back a value that nobody wants. */
  static void drop(Object value) {
    if (value instanceof Tensor) {
      ((Tensor) value).close();
    }
  }

  /** Bytes of a value: a tensor, a variable, or null for none. */
  static long byteSize(Object value) {
    if (value instanceof Tensor) {
      return ((Tensor) value).byteSize();
    }
    return value instanceof VariableResource ? ((VariableResource) value).heldBytes() : 0;
  }

  /** The state that one thread needs to work for the step. */
  private final class Lane {
    final ArrayDeque<ReadyNode> queue = new ArrayDeque<>();
    final List<ReadyNode> next = new ArrayList<>();
    final NodeContext context = new NodeContext(step, graph.device);
    final boolean isOnPool;
    volatile NodeItem current;

    /**
     * @param isOnPool whether the thread is one of the pool, which other steps wait for; the
     *     caller's own thread has nothing else to do
     */
    Lane(boolean isOnPool) {
      this.isOnPool = isOnPool;
    }

    void drain(boolean ended) {
      boolean last = ended;
      lanes.add(this);
      TimeSlice slice = isOnPool ? TimeSlice.begin(pool, ticker) : TimeSlice.ENDLESS;
      while (!last && !queue.isEmpty()) {
        ReadyNode node = queue.poll();
        if (slice.isLent() && TimeSlice.areMany(inputBytes(node), node.node.expensive)) {
          queue.addFirst(node);
          StepEnding.afterSlice(slice, pool, () -> drain(false));
          return;
        }
        last = process(node, this);
        if (!last && slice.isOver(node.node.expensive) && !queue.isEmpty()) {
          StepEnding.afterSlice(slice, pool, () -> drain(false));
          return;
        }
      }
      lanes.remove(this);
      if (last) {
        end();
      }
    }
  }

  private static long inputBytes(ReadyNode ready) {
    long bytes = 0;
    Object[] slots = ready.iteration.slots;
    int first = ready.node.firstSlot;
    for (int i = first; i < first + ready.node.inputCount(); i++) {
      bytes += byteSize(slots[i]);
    }
    return bytes;
  }

  /** Runs one node; true if that was the last one of the step. */
  private boolean process(ReadyNode ready, Lane lane) {
    NodeItem node = ready.node;
    if (step.cancellation().isCancelled()) {
      propagation.discardInputs(ready);
      return propagation.finishWithoutOutputs();
    }
    if (ready.isDead) {
      propagation.discardInputs(ready);
      if (!node.runsWhenDead) {
        return finish(ready, new Object[node.outputTypes.length], true, lane);
      }
    }
    if (node.asyncKernel != null) {
      return startAsync(ready, lane);
    }
    NodeContext context = lane.context;
    long start = tracer.isPresent() ? System.nanoTime() : 0;
    lane.current = node;
    try {
      context.load(ready);
      node.kernel.compute(context);
    } catch (RuntimeException | Error e) {
      return failed(node, context, e);
    }
    return succeeded(ready, context, start, lane);
  }

  /** Starts an asynchronous node, and ends it too if it need not wait. */
  private boolean startAsync(ReadyNode ready, Lane lane) {
    NodeItem node = ready.node;
    NodeContext context = new NodeContext(step, graph.device);
    long start = tracer.isPresent() ? System.nanoTime() : 0;
    waiting.add(ready);
    // A callback may come from any thread, even one that holds a queue's lock: neither nodes nor
    // cancellations may run there.
    OnceCompletion completion =
        new OnceCompletion(failure -> onPool(() -> resume(ready, context, start, failure)));
    try {
      context.load(ready);
      node.asyncKernel.computeAsync(context, completion);
    } catch (RuntimeException | Error e) {
      completion.fail(e instanceof RuntimeException ? (RuntimeException) e : located(node, e));
    }
    return completion.hasEnded() && completed(ready, context, start, completion.failure(), lane);
  }

  private void resume(
      ReadyNode ready, NodeContext context, long start, Optional<RuntimeException> failure) {
    Lane lane = new Lane(true);
    lane.drain(completed(ready, context, start, failure, lane));
  }

  private boolean completed(
      ReadyNode ready,
      NodeContext context,
      long start,
      Optional<RuntimeException> failure,
      Lane lane) {
    waiting.remove(ready);
    return failure.isPresent()
        ? failed(ready.node, context, failure.get())
        : succeeded(ready, context, start, lane);
  }

  private boolean succeeded(ReadyNode ready, NodeContext context, long start, Lane lane) {
    NodeItem node = ready.node;
    if (node.hasStrings) {
      try {
        context.countStrings();
      } catch (TributaryException e) {
        return failed(node, context, e);
      }
    }
    Object[] outputs = collect(node, context);
    if (outputs == null) {
      return failed(node, context, StepEnding.missingOutput(node));
    }
    if (tracer.isPresent()) {
      trace(tracer.get(), ready, start, outputs);
    }
    return finish(ready, outputs, node.runsWhenDead && isDead(ready, outputs), lane);
  }

  /**
   * Returns whether a node that runs when it is dead passes on that it was, or that it was told so.
   * Inputs that arrived nevertheless are released, since a dead node has no values.
   */
  private static boolean isDead(ReadyNode ready, Object[] outputs) {
    boolean dead = ready.isDead;
    for (int i = 0; i < outputs.length; i++) {
      if (ready.isDead) {
        drop(outputs[i]);
        outputs[i] = null;
      }
      dead |= outputs[i] == null;
    }
    return dead;
  }

  private void onPool(Runnable task) {
    StepEnding.onPool(pool, task);
  }

  /**
   * The outputs, which now belong to the caller; null if one is missing, and then nothing was
   * taken.
   */
  private static Object[] collect(NodeItem node, NodeContext context) {
    int count = node.outputTypes.length;
    if (node.flow != FlowKind.SWITCH && !node.runsWhenDead) {
      for (int i = 0; i < count; i++) {
        if (!context.hasOutput(i)) {
          return null;
        }
      }
    }
    Object[] outputs = new Object[count];
    for (int i = 0; i < count; i++) {
      outputs[i] = context.takeOutput(i);
    }
    context.release();
    return outputs;
  }

  private boolean failed(NodeItem node, NodeContext context, Throwable error) {
    context.dropOutputs();
    context.release();
    step.cancellation().cancel(located(node, error));
    return propagation.finishWithoutOutputs();
  }

  private RuntimeException located(NodeItem node, Throwable error) {
    return StepEnding.located(node, graph.device, error);
  }

  private boolean finish(ReadyNode ready, Object[] outputs, boolean dead, Lane lane) {
    lane.next.clear();
    boolean last = propagation.propagate(ready, outputs, dead, lane.next);
    schedule(lane.next, lane);
    return last;
  }

  /**
   * Keeps cheap nodes and one expensive one for this thread, gives the other expensive ones to the
   * pool.
   */
  private void schedule(List<ReadyNode> ready, Lane lane) {
    for (int i = 0; i < ready.size(); i++) {
      ReadyNode node = ready.get(i);
      if (tracer.isPresent()) {
        node.readyNanos = System.nanoTime();
      }
      if (node.node.expensive && !node.isDead && !(lane.queue.isEmpty() && i == ready.size() - 1)) {
        waiting.add(node);
        onPool(() -> runAlone(node));
      } else {
        lane.queue.add(node);
      }
    }
  }

  private void runAlone(ReadyNode node) {
    waiting.remove(node);
    Lane lane = new Lane(true);
    lane.queue.add(node);
    lane.drain(false);
  }

  private void end() {
    StepEnding.end(step, propagation::release, done);
  }

  private void trace(StepTracer t, ReadyNode ready, long start, Object[] outputs) {
    long bytes = 0;
    for (Object output : outputs) {
      bytes += output instanceof Tensor ? ((Tensor) output).byteSize() : 0;
    }
    t.add(ready.node, graph.device, ready.readyNanos, start, bytes);
  }
}
