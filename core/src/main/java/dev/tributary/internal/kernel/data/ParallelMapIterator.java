package dev.tributary.internal.kernel.data;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.internal.kernel.CapturedFunction;
import dev.tributary.internal.memory.ElementHeap;
import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Consumer;

/**
 * The results of a function for each element, with several calls at the same time. The input is
 * asked for one element after the other. Guarded by its own monitor, outside of which the input is
 * asked, the function is called and consumers are answered.
 */
final class ParallelMapIterator implements ElementIterator, ElementReceiver {
  /**
   * The settings of a stage.
   *
   * @param mostCalls the most calls under way together with results that wait
   * @param isOrdered whether results have the order of the input
   */
  record Settings(int mostCalls, boolean isOrdered, boolean preservesCardinality) {}

  /** The place of one element. */
  private final class Call implements CapturedFunction.Completion {
    private final Tensor[] arguments;
    private final long heapBytes;
    private Tensor[] results = Elements.NONE;
    private RuntimeException failure;
    private boolean isDone;

    Call(Tensor[] arguments, long heapBytes) {
      this.arguments = arguments;
      this.heapBytes = heapBytes;
    }

    private Call(Answer known, long heapBytes) {
      this(Elements.NONE, heapBytes);
      results = known.failure() == null ? known.element() : Elements.NONE;
      failure = known.failure();
      isDone = true;
    }

    void begin() {
      function.call(context.cancellation(), this, arguments);
    }

    @Override
    public void succeed(Tensor[] values) {
      end(values, null);
    }

    @Override
    public void fail(RuntimeException why) {
      end(Elements.NONE, why);
    }

    private void end(Tensor[] values, RuntimeException why) {
      Elements.close(arguments);
      synchronized (ParallelMapIterator.this) {
        results = values;
        failure = why;
        isDone = true;
      }
      serve();
      leave();
    }

    void answer(ElementReceiver receiver) {
      if (failure == null) {
        receiver.element(results);
      } else if (MapIterator.isOutOfRange(failure) && !settings.preservesCardinality()) {
        receiver.end();
      } else {
        receiver.failure(MapIterator.named(function, failure));
      }
    }
  }

  private final IteratorContext context;
  private final Dataset dataset;
  private final ElementIterator input;
  private final ElementFunction function;
  private final Settings settings;
  private final Turns turns;
  private final Runnable resumption;

  /** Calls whose results nobody has taken, in the order of the input. */
  @GuardedBy("this")
  private final Deque<Call> calls = new ArrayDeque<>();

  /** The most calls that are under way; fewer than wanted when there is no heap for more. */
  @GuardedBy("this")
  private int mostCalls;

  @GuardedBy("this")
  private ElementReceiver waiting;

  @GuardedBy("this")
  private boolean asksInput;

  @GuardedBy("this")
  private RuntimeException inputFailure;

  @GuardedBy("this")
  private boolean ended;

  @GuardedBy("this")
  private boolean closed;

  /** Work that uses the input or the function, and one for this pass until it is closed. */
  @GuardedBy("this")
  private int users = 1;

  /**
   * @param dataset the input, to which this has a reference until nothing is under way any more, as
   *     to the function
   */
  ParallelMapIterator(
      IteratorContext outer, Dataset dataset, ElementFunction function, Settings settings) {
    this.context = outer.child();
    this.turns = new Turns(context::executeInBackground, this::produce);
    this.resumption = turns::take;
    this.dataset = dataset;
    this.function = function;
    this.settings = settings;
    this.mostCalls = settings.mostCalls();
    this.input = dataset.iterator(context);
    Variant.share(dataset);
    function.enter();
  }

  // ---- consumer ----

  @Override
  public void next(ElementReceiver receiver) {
    synchronized (this) {
      waiting = receiver;
    }
    serve();
    turns.take();
  }

  /** Answers the consumer if it waits and there is an answer. */
  private void serve() {
    ElementReceiver receiver;
    Consumer<ElementReceiver> answer;
    synchronized (this) {
      if (waiting == null) {
        return;
      }
      answer = poll();
      if (answer == null) {
        return;
      }
      receiver = waiting;
      waiting = null;
    }
    answer.accept(receiver);
  }

  @GuardedBy("this")
  private Consumer<ElementReceiver> poll() {
    Iterator<Call> all = calls.iterator();
    while (all.hasNext()) {
      Call call = all.next();
      if (call.isDone) {
        all.remove();
        context.heap().giveBack(call.heapBytes);
        return call::answer;
      }
      if (settings.isOrdered()) {
        return null;
      }
    }
    if (!calls.isEmpty()) {
      return null;
    }
    if (inputFailure != null) {
      RuntimeException failure = inputFailure;
      inputFailure = null;
      return receiver -> receiver.failure(failure);
    }
    return ended ? ElementReceiver::end : null;
  }

  @Override
  public synchronized long buffered() {
    return calls.stream().filter(call -> call.isDone).count();
  }

  @Override
  public synchronized long capacity() {
    return settings.mostCalls();
  }

  // ---- producer ----

  private void produce() {
    synchronized (this) {
      boolean isFull = calls.size() >= mostCalls;
      if (asksInput || ended || closed || isFull || inputFailure != null) {
        return;
      }
      if (!context.background().begin(waiting != null, resumption)) {
        return;
      }
      asksInput = true;
      enter();
    }
    input.next(this);
  }

  @Override
  public void element(Tensor[] components) {
    Call call;
    synchronized (this) {
      asksInput = false;
      call = new Call(components, takenFor(components));
      calls.add(call);
    }
    // The call takes over the place of the request among the users.
    context.execute(call::begin);
    turns.take();
  }

  /** Takes heap for an element; without any, there are no more calls than now. */
  @GuardedBy("this")
  private long takenFor(Tensor[] components) {
    long bytes = ElementHeap.ofElement(components == null ? 0 : components.length);
    if (context.heap().tryTake(bytes)) {
      return bytes;
    }
    mostCalls = Math.max(1, calls.size());
    return 0;
  }

  /** The failure is for the place behind the calls under way; until then nothing is asked. */
  @Override
  public void failure(RuntimeException failure) {
    synchronized (this) {
      asksInput = false;
      inputFailure = failure;
    }
    answered();
  }

  @Override
  public void end() {
    synchronized (this) {
      asksInput = false;
      ended = true;
    }
    answered();
  }

  private void answered() {
    serve();
    leave();
    turns.take();
  }

  // ---- end ----

  @GuardedBy("this")
  private void enter() {
    users++;
    context.backgroundBegins();
  }

  private void leave() {
    releaseUnused();
    context.background().end();
    context.backgroundEnds();
  }

  private void releaseUnused() {
    Deque<Call> unclaimed;
    synchronized (this) {
      users--;
      if (users > 0) {
        return;
      }
      unclaimed = new ArrayDeque<>(calls);
      calls.clear();
    }
    for (Call call : unclaimed) {
      context.heap().giveBack(call.heapBytes);
      Elements.close(call.results);
    }
    input.close();
    Variant.end(dataset);
    function.leave();
  }

  @Override
  public void save(StateWriter writer) {
    synchronized (this) {
      writer.number(calls.size());
      calls.forEach(call -> new Answer(call.results, call.failure).save(writer));
      writer.truth(inputFailure != null);
      if (inputFailure != null) {
        writer.failure(inputFailure);
      }
      writer.truth(ended);
    }
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    synchronized (this) {
      int count = reader.count();
      for (int i = 0; i < count; i++) {
        Answer known = Answer.restored(reader);
        calls.add(new Call(known, takenFor(known.element())));
      }
      inputFailure = reader.truth() ? reader.failure() : null;
      ended = reader.truth();
    }
    input.restore(reader);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    context.cancel();
    releaseUnused();
  }
}
