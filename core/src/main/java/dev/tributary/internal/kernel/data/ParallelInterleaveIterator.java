package dev.tributary.internal.kernel.data;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The elements of datasets that a function makes of the input's elements, some from each in turn,
 * with several of these datasets read at the same time. The input is asked for one element after
 * the other, and ahead of the turns. Guarded by its own monitor, outside of which datasets are
 * read, the function is called and consumers are answered.
 */
final class ParallelInterleaveIterator implements ElementIterator, ElementReceiver {
  /**
   * The settings of a stage.
   *
   * @param cycle the number of datasets that have turns
   * @param block the elements of one turn
   * @param mostReads the most datasets that are read at the same time
   * @param mostWaiting the most elements of one dataset that wait for its turn
   * @param mostAhead the most datasets that are read before they have turns
   * @param isOrdered whether elements have the order of the turns
   */
  record Settings(
      int cycle, long block, int mostReads, int mostWaiting, int mostAhead, boolean isOrdered) {}

  private final IteratorContext context;
  private final Dataset dataset;
  private final ElementIterator input;
  private final StageFunction function;
  private final Settings settings;
  private final Turns turns;
  private final Runnable resumption;

  @GuardedBy("this")
  private final InterleaveCycle cycle;

  @GuardedBy("this")
  private int reads;

  @GuardedBy("this")
  private boolean asksInput;

  @GuardedBy("this")
  private boolean inputEnded;

  @GuardedBy("this")
  private RuntimeException inputFailure;

  @GuardedBy("this")
  private ElementReceiver waiting;

  @GuardedBy("this")
  private boolean closed;

  /** Work that uses the input, the function or a reader, and one for this pass until its end. */
  @GuardedBy("this")
  private int users = 1;

  /**
   * @param dataset the input, to which this has a reference until nothing is under way any more, as
   *     to the function
   */
  ParallelInterleaveIterator(
      IteratorContext outer, Dataset dataset, StageFunction function, Settings settings) {
    this.context = outer.child();
    this.turns = new Turns(context::executeInBackground, this::produce);
    this.resumption = turns::take;
    this.dataset = dataset;
    this.function = function;
    this.settings = settings;
    this.cycle = new InterleaveCycle(settings.cycle(), settings.block());
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
    Runnable answer = serve();
    if (answer != null) {
      answer.run();
    }
    turns.take();
  }

  /** Returns what answers the consumer, or null if it does not wait or must go on waiting. */
  private Runnable serve() {
    List<InterleaveReader> ended;
    Runnable answer = null;
    synchronized (this) {
      Consumer<ElementReceiver> found = null;
      if (waiting != null) {
        found = poll();
      }
      if (found != null) {
        ElementReceiver receiver = waiting;
        Consumer<ElementReceiver> given = found;
        waiting = null;
        answer = () -> given.accept(receiver);
      }
      ended = cycle.takeEnded();
    }
    ended.forEach(InterleaveReader::close);
    return answer;
  }

  /** The consumer has work of its own, which must not keep this thread from the next element. */
  void serveElsewhere() {
    Runnable answer = serve();
    if (answer != null) {
      context.executeInBackground(answer);
    }
  }

  @GuardedBy("this")
  private Consumer<ElementReceiver> poll() {
    Answer answer = settings.isOrdered() ? cycle.inTurn(inputEnded) : cycle.fromAny();
    if (answer != null) {
      return answer;
    }
    if (inputFailure != null && cycle.awaitsInput()) {
      RuntimeException failure = inputFailure;
      inputFailure = null;
      return receiver -> receiver.failure(failure);
    }
    return inputEnded && cycle.isEmpty() ? ElementReceiver::end : null;
  }

  @Override
  public synchronized long buffered() {
    return cycle.readers().stream().mapToLong(InterleaveReader::buffered).sum();
  }

  @Override
  public synchronized long capacity() {
    return (long) settings.cycle() * settings.mostWaiting();
  }

  // ---- producer ----

  /** Begins all that may begin: a request to the input, and readers on threads of the pool. */
  private void produce() {
    List<InterleaveReader> begun = new ArrayList<>();
    boolean asks;
    synchronized (this) {
      asks = wantsInput() && begins();
      asksInput |= asks;
      for (InterleaveReader reader : cycle.readers()) {
        if (!closed && mayRead() && reader.wantsToRead() && begins()) {
          reader.activate();
          reads++;
          begun.add(reader);
        }
      }
    }
    begun.forEach(reader -> context.execute(reader::begin));
    if (asks) {
      input.next(this);
    }
  }

  /** A consumer that waits gets its element even if all that may read read others. */
  @GuardedBy("this")
  private boolean mayRead() {
    return reads < settings.mostReads() || waiting != null && reads == settings.mostReads();
  }

  @GuardedBy("this")
  private boolean wantsInput() {
    return !asksInput
        && !inputEnded
        && inputFailure == null
        && !closed
        && cycle.hasPlace(settings.mostAhead());
  }

  @GuardedBy("this")
  private boolean begins() {
    if (!context.background().begin(waiting != null, resumption)) {
      return false;
    }
    users++;
    context.backgroundBegins();
    return true;
  }

  @Override
  public void element(Tensor[] components) {
    synchronized (this) {
      asksInput = false;
      cycle.add(reader(new InterleaveSlot(components)));
    }
    answered();
  }

  private InterleaveReader reader(InterleaveSlot slot) {
    return new InterleaveReader(this, context, function, slot, settings.mostWaiting());
  }

  /** The failure is for the place behind the datasets that are there; until then none is added. */
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
      inputEnded = true;
    }
    answered();
  }

  private void answered() {
    serveElsewhere();
    leave();
    turns.take();
  }

  /** A reader has nothing to do until its elements are taken. */
  void readEnds() {
    synchronized (this) {
      reads--;
    }
    leave();
    turns.take();
  }

  @GuardedBy("this")
  boolean isClosed() {
    return closed;
  }

  // ---- end ----

  private void leave() {
    releaseUnused();
    context.background().end();
    context.backgroundEnds();
  }

  private void releaseUnused() {
    List<InterleaveReader> all;
    synchronized (this) {
      users--;
      if (users > 0) {
        return;
      }
      all = cycle.readers();
      all.addAll(cycle.takeEnded());
    }
    all.forEach(InterleaveReader::close);
    input.close();
    Variant.end(dataset);
    function.leave();
  }

  @Override
  public void save(StateWriter writer) {
    synchronized (this) {
      writer.truth(inputEnded);
      writer.truth(inputFailure != null);
      if (inputFailure != null) {
        writer.failure(inputFailure);
      }
      cycle.save(writer);
    }
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    synchronized (this) {
      inputEnded = reader.truth();
      inputFailure = reader.truth() ? reader.failure() : null;
      cycle.restore(reader, this::reader);
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
