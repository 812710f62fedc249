package dev.tributary.executor;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.FlowKind;
import dev.tributary.kernel.AsyncKernel;
import dev.tributary.kernel.Step;
import dev.tributary.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * One step in progress: takes ready nodes, runs their kernels, and hands the results to {@link Propagation}.
 *
 * <p>A node counts as outstanding from the moment it is ready until its results have been passed on; the step ends when none is.
 * After the first failure, ready nodes are dropped unrun, so the count still goes down to zero and every value is given back.
 * Kernels run outside the propagation's lock.
 */
final class StepExecution {
  private final ExecutableGraph graph;
  private final Step step;
  private final Executor pool;
  private final Optional<StepTracer> tracer;
  private final Consumer<Optional<RuntimeException>> done;
  private final Propagation propagation;

  StepExecution(
      ExecutableGraph graph,
      Step step,
      Executor pool,
      Optional<StepTracer> tracer,
      Consumer<Optional<RuntimeException>> done) {
    this.graph = graph;
    this.step = step;
    this.pool = pool;
    this.tracer = tracer;
    this.done = done;
    this.propagation = new Propagation(graph);
  }

  void start() {
    List<ReadyNode> ready = propagation.start();
    if (ready.isEmpty()) {
      end();
      return;
    }
    runFrom(ready);
  }

  /** Gives back a value that nobody wants. */
  static void drop(Object value) {
    if (value instanceof Tensor) {
      ((Tensor) value).close();
    }
  }

  private void runFrom(List<ReadyNode> ready) {
    ArrayDeque<ReadyNode> queue = new ArrayDeque<>();
    NodeContext context = new NodeContext(step, graph.device);
    boolean last = schedule(ready, queue);
    while (!last && !queue.isEmpty()) {
      last = process(queue.poll(), queue, context);
    }
    if (last) {
      end();
    }
  }

  /** Runs one node; true if that was the last one of the step. */
  private boolean process(ReadyNode ready, ArrayDeque<ReadyNode> queue, NodeContext context) {
    NodeItem node = ready.node();
    if (step.cancellation().isCancelled()) {
      propagation.discardInputs(ready);
      return propagation.finishWithoutOutputs();
    }
    if (ready.isDead()) {
      propagation.discardInputs(ready);
      return finish(ready, new Object[node.outputTypes.length], true, queue);
    }
    if (node.asyncKernel != null) {
      startAsync(ready);
      return false;
    }
    long start = tracer.isPresent() ? System.nanoTime() : 0;
    try {
      context.load(node, ready.iteration().slots, node.firstSlot);
      node.kernel.compute(context);
    } catch (RuntimeException | Error e) {
      return failed(node, context, e);
    }
    Object[] outputs = collect(node, context);
    tracer.ifPresent(t -> trace(t, node, start, outputs));
    return outputs == null ? failed(node, context, missingOutput(node)) : finish(ready, outputs, false, queue);
  }

  private void startAsync(ReadyNode ready) {
    NodeItem node = ready.node();
    NodeContext context = new NodeContext(step, graph.device);
    long start = tracer.isPresent() ? System.nanoTime() : 0;
    AsyncKernel.Completion completion =
        new OnceCompletion(
            () -> {
              Object[] outputs = collect(node, context);
              if (outputs == null) {
                endIf(failed(node, context, missingOutput(node)));
                return;
              }
              tracer.ifPresent(t -> trace(t, node, start, outputs));
              continueOnPool(ready, outputs);
            },
            failure -> endIf(failed(node, context, failure)));
    try {
      context.load(node, ready.iteration().slots, node.firstSlot);
      node.asyncKernel.computeAsync(context, completion);
    } catch (RuntimeException | Error e) {
      completion.fail(e instanceof RuntimeException ? (RuntimeException) e : new IllegalStateException(e));
    }
  }

  /** A callback may come from any thread, even one that holds a queue's lock: nodes must not run there. */
  private void continueOnPool(ReadyNode ready, Object[] outputs) {
    pool.execute(
        () -> {
          ArrayDeque<ReadyNode> queue = new ArrayDeque<>();
          NodeContext context = new NodeContext(step, graph.device);
          boolean last = finish(ready, outputs, false, queue);
          while (!last && !queue.isEmpty()) {
            last = process(queue.poll(), queue, context);
          }
          endIf(last);
        });
  }

  private Object[] collect(NodeItem node, NodeContext context) {
    Object[] outputs = new Object[node.outputTypes.length];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] = context.takeOutput(i);
      if (outputs[i] == null && node.flow != FlowKind.SWITCH) {
        for (Object output : outputs) {
          drop(output);
        }
        return null;
      }
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
    if (error instanceof TributaryException) {
      return ((TributaryException) error).at(node.toString());
    }
    ErrorCode code = error instanceof OutOfMemoryError ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.INTERNAL;
    return new TributaryException(code, node + ": " + error, error);
  }

  private static TributaryException missingOutput(NodeItem node) {
    return TributaryException.internal("the kernel of %s left an output unset", node.op);
  }

  private boolean finish(ReadyNode ready, Object[] outputs, boolean dead, ArrayDeque<ReadyNode> queue) {
    List<ReadyNode> next = new ArrayList<>(4);
    boolean last = propagation.propagate(ready, outputs, dead, next);
    schedule(next, queue);
    return last;
  }

  /** Keeps cheap nodes and one expensive one for this thread, gives the other expensive ones to the pool. */
  private boolean schedule(List<ReadyNode> ready, ArrayDeque<ReadyNode> queue) {
    for (int i = 0; i < ready.size(); i++) {
      ReadyNode node = ready.get(i);
      if (node.node().expensive && !node.isDead() && !(queue.isEmpty() && i == ready.size() - 1)) {
        pool.execute(() -> runFrom(List.of(node)));
      } else {
        queue.add(node);
      }
    }
    return false;
  }

  private void endIf(boolean last) {
    if (last) {
      end();
    }
  }

  private void end() {
    propagation.release();
    Optional<RuntimeException> failure = step.cancellation().reason();
    if (failure.isPresent()) {
      step.callFrame().releaseResults();
    }
    step.close();
    done.accept(failure);
  }

  private void trace(StepTracer t, NodeItem node, long start, Object[] outputs) {
    long bytes = 0;
    if (outputs != null) {
      for (Object output : outputs) {
        bytes += output instanceof Tensor ? ((Tensor) output).byteSize() : 0;
      }
    }
    long end = System.nanoTime();
    t.add(
        new StepTracer.NodeRun(
            node.name, node.op, graph.device.name(), start, start, end, Thread.currentThread().getName(), bytes));
  }
}
