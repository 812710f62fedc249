package dev.tributary.internal.kernel.data;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.internal.memory.Variant;
import dev.tributary.internal.pipeline.PipelineReport;
import dev.tributary.internal.tensor.IteratorState;
import dev.tributary.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * An iterator that steps get elements from. Their requests are answered in the order in which they
 * came, one at a time. A request whose step ends before leaves the line at once; the element that
 * was made for it is for the next one. Guarded by its own monitor, outside of which pipelines are
 * asked and steps are answered.
 */
public final class IteratorResource implements Resource {
  /** A step that waits for an element. Whichever comes first ends it: an answer, or its end. */
  private final class Request implements ElementReceiver {
    private final Cancellation step;
    private final Consumer<Tensor[]> onElement;
    private final Runnable onEnd;
    private final AsyncKernel.Completion done;
    private final AtomicBoolean over = new AtomicBoolean();
    private final Runnable withdrawal = this::withdraw;

    Request(
        Cancellation step,
        Consumer<Tensor[]> onElement,
        Runnable onEnd,
        AsyncKernel.Completion done) {
      this.step = step;
      this.onElement = onElement;
      this.onEnd = onEnd;
      this.done = done;
    }

    private boolean isFirst() {
      boolean first = over.compareAndSet(false, true);
      if (first) {
        step.forget(withdrawal);
      }
      return first;
    }

    private void withdraw() {
      if (isFirst()) {
        leave(this);
        done.fail(
            TributaryException.derived(
                ErrorCode.CANCELLED,
                "IteratorGetNext operation was cancelled",
                step.reason().orElse(null)));
      }
    }

    @Override
    public void element(Tensor[] components) {
      finish(() -> onElement.accept(components));
    }

    @Override
    public void end() {
      finish(onEnd);
    }

    @Override
    public void failure(RuntimeException failure) {
      done.fail(failure);
    }

    private void finish(Runnable delivery) {
      try {
        delivery.run();
      } catch (RuntimeException e) {
        done.fail(e);
        return;
      }
      done.succeed();
    }
  }

  /** A step that waits for the state of the iterator. */
  private final class Save {
    private final Cancellation step;
    private final Consumer<IteratorState> onState;
    private final AsyncKernel.Completion done;
    private final AtomicBoolean over = new AtomicBoolean();
    private final Runnable withdrawal = this::withdraw;

    Save(Cancellation step, Consumer<IteratorState> onState, AsyncKernel.Completion done) {
      this.step = step;
      this.onState = onState;
      this.done = done;
    }

    private boolean isFirst() {
      boolean first = over.compareAndSet(false, true);
      if (first) {
        step.forget(withdrawal);
      }
      return first;
    }

    private void withdraw() {
      fail(
          TributaryException.derived(
              ErrorCode.CANCELLED,
              "SerializeIterator operation was cancelled",
              step.reason().orElse(null)));
    }

    void fail(RuntimeException why) {
      if (isFirst()) {
        done.fail(why);
      }
    }

    void finish(IteratorState state) {
      if (!isFirst()) {
        Variant.end(state);
        return;
      }
      onState.accept(state);
      done.succeed();
    }
  }

  /** One initialised pipeline. The monitor of the resource guards its fields. */
  private final class Pipeline implements ElementReceiver {
    private final Dataset dataset;
    private final IteratorContext context;
    private final ElementIterator iterator;
    private boolean asked;
    private boolean isOld;

    Pipeline(Dataset dataset, IteratorContext context) {
      this.dataset = dataset;
      this.context = context;
      this.iterator = dataset.begin(context);
      Variant.share(dataset);
    }

    @Override
    public void element(Tensor[] components) {
      answer(this, new Answer(components, null));
    }

    @Override
    public void end() {
      answer(this, END);
    }

    @Override
    public void failure(RuntimeException failure) {
      answer(this, new Answer(null, failure));
    }

    void release() {
      iterator.close();
      context.release();
      Variant.end(dataset);
    }
  }

  private static final Consumer<ElementReceiver> END = ElementReceiver::end;

  private final String name;
  private final ElementSpec spec;
  private final Turns turns = new Turns(this::ask);

  @GuardedBy("this")
  private final Deque<Request> line = new ArrayDeque<>();

  @GuardedBy("this")
  private final Deque<Save> saves = new ArrayDeque<>();

  @GuardedBy("this")
  private Pipeline current;

  @GuardedBy("this")
  private Answer kept;

  @GuardedBy("this")
  private boolean ended;

  @GuardedBy("this")
  private boolean dropped;

  IteratorResource(String name, ElementSpec spec) {
    this.name = name;
    this.spec = spec;
  }

  ElementSpec spec() {
    return spec;
  }

  /** Begins with a dataset, from its beginning. */
  void initialise(Dataset dataset, Device device, Executor pool) {
    spec.requireCompatible(dataset.spec());
    Pipeline made = new Pipeline(dataset, new IteratorContext(device, pool));
    replace(made, false);
    turns.take();
  }

  /** Asks for an element; the step may be answered before this returns. */
  void next(
      Cancellation step,
      Consumer<Tensor[]> onElement,
      Runnable onEnd,
      AsyncKernel.Completion done) {
    Request request = new Request(step, onElement, onEnd, done);
    synchronized (this) {
      initialised();
      line.add(request);
    }
    step.onCancel(request.withdrawal);
    turns.take();
  }

  /** Returns what the stages of the pipeline have done since it was initialised. */
  PipelineReport report() {
    IteratorContext context;
    synchronized (this) {
      context = initialised().context;
    }
    return context.counters().report();
  }

  @GuardedBy("this")
  private Pipeline initialised() {
    if (dropped) {
      throw TributaryException.cancelled("iterator '%s' was dropped with its container", name);
    }
    if (current == null) {
      throw TributaryException.failedPrecondition(
          "GetNext() failed because the iterator has not been initialized. Ensure that you have"
              + " run the initializer operation for this iterator before getting the next"
              + " element. (iterator '%s')",
          name);
    }
    return current;
  }

  private synchronized void leave(Request request) {
    line.remove(request);
  }

  /** Writes down where the iterator is, as soon as nothing in its pipeline is under way. */
  void save(Cancellation step, Consumer<IteratorState> onState, AsyncKernel.Completion done) {
    Save save = new Save(step, onState, done);
    synchronized (this) {
      initialised();
      saves.add(save);
    }
    step.onCancel(save.withdrawal);
    turns.take();
  }

  /** Begins the pipeline again where another iterator with the same one was. */
  void restore(IteratorState state, Device device, Executor pool) {
    Dataset dataset;
    synchronized (this) {
      dataset = initialised().dataset;
      Variant.share(dataset);
    }
    try {
      Pipeline made = new Pipeline(dataset, new IteratorContext(device, pool));
      try (StateReader reader = StateReader.of(state)) {
        boolean isOver = reader.truth();
        Optional<Answer> unclaimed =
            reader.truth() ? Optional.of(Answer.restored(reader)) : Optional.empty();
        try {
          made.iterator.restore(reader);
          reader.requireEnd();
        } catch (RuntimeException e) {
          unclaimed.ifPresent(Answer::drop);
          throw e;
        }
        replace(made, false);
        synchronized (this) {
          ended = isOver;
          kept = unclaimed.orElse(null);
        }
      } catch (RuntimeException e) {
        made.context.cancel();
        made.release();
        throw e;
      }
    } finally {
      Variant.end(dataset);
    }
    turns.take();
  }

  /** With nothing under way, and nothing that begins meanwhile. */
  private void saveNow(Pipeline pipeline, Save save) {
    IteratorState state = null;
    RuntimeException problem = null;
    try (StateWriter writer = new StateWriter()) {
      Answer unclaimed;
      synchronized (this) {
        unclaimed = kept;
        writer.truth(ended);
      }
      writer.truth(unclaimed != null);
      if (unclaimed != null) {
        unclaimed.save(writer);
      }
      pipeline.iterator.save(writer);
      state = writer.finish();
    } catch (RuntimeException e) {
      problem = e;
    }
    pipeline.context.background().resume();
    boolean isOld;
    synchronized (this) {
      pipeline.asked = false;
      isOld = pipeline.isOld;
    }
    if (isOld) {
      pipeline.release();
    }
    if (problem != null) {
      save.fail(problem);
    } else {
      save.finish(state);
    }
    turns.take();
  }

  /** Answers the first of the line, or asks the pipeline for its element. */
  private void ask() {
    Pipeline pipeline = null;
    Save save = null;
    Request request = null;
    Consumer<ElementReceiver> answer = END;
    synchronized (this) {
      if (current == null || current.asked || line.isEmpty() && saves.isEmpty()) {
        return;
      }
      if (!saves.isEmpty()) {
        save = saves.poll();
        current.asked = true;
        pipeline = current;
      } else if (kept != null || ended) {
        Request first = line.poll();
        if (first.isFirst()) {
          request = first;
          answer = kept != null ? kept : END;
          kept = null;
        }
      } else {
        current.asked = true;
        pipeline = current;
      }
    }
    if (save != null) {
      Pipeline saved = pipeline;
      Save waiting = save;
      saved.context.background().halt(() -> saveNow(saved, waiting));
      return;
    }
    if (pipeline != null) {
      pipeline.iterator.next(pipeline);
      return;
    }
    if (request != null) {
      answer.accept(request);
    }
    turns.take();
  }

  private void answer(Pipeline from, Consumer<ElementReceiver> answer) {
    Request request = null;
    boolean isOld;
    synchronized (this) {
      from.asked = false;
      isOld = from.isOld;
      ended |= !isOld && answer == END;
      while (!isOld && request == null && !line.isEmpty()) {
        Request first = line.poll();
        request = first.isFirst() ? first : null;
      }
      if (!isOld && request == null && answer instanceof Answer element) {
        kept = element;
      }
    }
    if (isOld) {
      if (answer instanceof Answer unwanted) {
        unwanted.drop();
      }
      from.release();
    } else if (request != null) {
      answer.accept(request);
    }
    turns.take();
  }

  /** Ends the pipeline of before; its elements go back when nothing of it is under way. */
  private void replace(Pipeline next, boolean isDrop) {
    Pipeline before;
    Answer unclaimed;
    boolean isIdle;
    synchronized (this) {
      before = current;
      unclaimed = kept;
      current = next;
      kept = null;
      ended = false;
      dropped |= isDrop;
      isIdle = before != null && !before.asked;
      if (before != null) {
        before.isOld = true;
      }
    }
    if (unclaimed != null) {
      unclaimed.drop();
    }
    if (before != null) {
      before.context.cancel();
      if (isIdle) {
        before.release();
      }
    }
  }

  @Override
  public String kind() {
    return "iterators";
  }

  @Override
  public void close() {
    replace(null, true);
    Deque<Request> waiting;
    Deque<Save> unsaved;
    synchronized (this) {
      waiting = new ArrayDeque<>(line);
      unsaved = new ArrayDeque<>(saves);
      line.clear();
      saves.clear();
    }
    for (Save save : unsaved) {
      save.fail(TributaryException.cancelled("iterator '%s' was dropped with its container", name));
    }
    for (Request request : waiting) {
      if (request.isFirst()) {
        request.failure(
            TributaryException.cancelled("iterator '%s' was dropped with its container", name));
      }
    }
  }
}
