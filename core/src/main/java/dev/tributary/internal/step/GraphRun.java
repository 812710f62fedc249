package dev.tributary.internal.step;

import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.executor.ExecutableGraph;
import dev.tributary.internal.executor.StepRun;
import dev.tributary.internal.executor.StepTracer;
import dev.tributary.internal.kernel.CallFrame;
import dev.tributary.internal.kernel.CollectiveExecutor;
import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.rendezvous.Rendezvous;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One step of a registered graph, on all of its devices. It ends when everything that was begun for
 * it has ended: the graphs of all devices, and values that are under way to other tasks. The first
 * failure cancels the rest. The caller has entered the graph and leaves it when the step has ended.
 * Safe for use by many threads.
 */
public final class GraphRun {
  private static final StepRun[] NOT_STARTED = {};

  private final long stepId;
  private final RegisteredGraph graph;
  private final CallFrame frame;
  private final Rendezvous rendezvous;
  private final CollectiveExecutor collectives;
  private final Optional<StepTracer> tracer;
  private final Cancellation cancellation;
  private final Consumer<Optional<RuntimeException>> onEnd;

  /** One from the beginning, for the graph that has not started yet. */
  private final AtomicInteger unfinished = new AtomicInteger(1);

  private final AtomicBoolean started = new AtomicBoolean();
  private volatile StepRun[] parts = NOT_STARTED;

  /**
   * @param frame the values that the step is called with; shared by all devices
   * @param rendezvous where the devices meet
   * @param collectives where they compute values together
   * @param cancellation ends the step early
   * @param onEnd called once when all has ended, with the first failure if there was one
   */
  public GraphRun(
      long stepId,
      RegisteredGraph graph,
      CallFrame frame,
      Rendezvous rendezvous,
      CollectiveExecutor collectives,
      Optional<StepTracer> tracer,
      Cancellation cancellation,
      Consumer<Optional<RuntimeException>> onEnd) {
    this.stepId = stepId;
    this.graph = graph;
    this.frame = frame;
    this.rendezvous = rendezvous;
    this.collectives = collectives;
    this.tracer = tracer;
    this.cancellation = cancellation;
    this.onEnd = onEnd;
  }

  public Cancellation cancellation() {
    return cancellation;
  }

  /** Counts something more that has to end; the step must not have ended yet. */
  public void begin() {
    unfinished.incrementAndGet();
  }

  /** Counts something that has ended, possibly with a failure. */
  public void ended(Optional<RuntimeException> failure) {
    if (failure.isPresent()) {
      cancellation.cancel(failure.get());
    }
    if (unfinished.decrementAndGet() == 0) {
      onEnd.accept(cancellation.reason());
    }
  }

  /** Starts the step, with its last part on this thread; does nothing if it was started. */
  public void startHere() {
    startHere(StepRun::start);
  }

  /** The same on a thread that others wait for: what takes long continues on the pool. */
  void startInSlice() {
    startHere(StepRun::startInSlice);
  }

  private void startHere(Consumer<StepRun> start) {
    if (started.compareAndSet(false, true)) {
      StepRun[] prepared = prepare();
      int last = prepared.length - 1;
      startOnPool(prepared, last);
      if (last >= 0) {
        start.accept(prepared[last]);
      }
    }
  }

  /** Starts the step on threads of the pool; does nothing if it was started. */
  public void startOnPool() {
    if (started.compareAndSet(false, true)) {
      StepRun[] prepared = prepare();
      startOnPool(prepared, prepared.length);
    }
  }

  /** Some of the nodes that are ready or run at this moment, at most {@code limit}. */
  public List<String> outstanding(int limit) {
    List<String> nodes = new ArrayList<>();
    for (StepRun part : parts) {
      nodes.addAll(part.outstanding(limit - nodes.size()));
    }
    return nodes;
  }

  private StepRun[] prepare() {
    ExecutableGraph[] executables = graph.executables();
    StepRun[] prepared = new StepRun[executables.length];
    for (int i = 0; i < prepared.length; i++) {
      Step step = new Step(stepId, cancellation, frame, rendezvous, collectives);
      prepared[i] = graph.executor().prepare(executables[i], step, tracer, this::ended);
    }
    parts = prepared;
    if (prepared.length == 0) {
      ended(Optional.empty());
    } else if (prepared.length > 1) {
      unfinished.addAndGet(prepared.length - 1);
    }
    return prepared;
  }

  private static void startOnPool(StepRun[] prepared, int count) {
    for (int i = 0; i < count; i++) {
      prepared[i].startOnPool();
    }
  }
}
