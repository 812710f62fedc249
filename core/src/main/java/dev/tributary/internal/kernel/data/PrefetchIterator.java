package dev.tributary.internal.kernel.data;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.internal.memory.ElementHeap;
import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Makes elements before they are asked for, on threads of the pool. Guarded by its own monitor,
 * outside of which the input is asked and consumers are answered.
 */
final class PrefetchIterator implements ElementIterator, ElementReceiver {
  /** The limit that is doubled whenever the consumer finds a buffer empty that was full before. */
  static final long AUTOTUNE = -1;

  private static final long MOST_AUTOTUNED = 2048;

  /**
   * An answer in the buffer.
   *
   * @param heapBytes what is counted for it
   */
  private record Kept(Answer answer, long heapBytes) {}

  private final IteratorContext context;
  private final Dataset dataset;
  private final ElementIterator input;
  private final boolean tunes;
  private final Turns turns;
  private final Runnable resumption = this::resume;

  @GuardedBy("this")
  private final Deque<Kept> ready = new ArrayDeque<>();

  @GuardedBy("this")
  private long limit;

  @GuardedBy("this")
  private boolean wasFull;

  @GuardedBy("this")
  private ElementReceiver waiting;

  /** True while the input is asked, or is about to be. */
  @GuardedBy("this")
  private boolean producing;

  @GuardedBy("this")
  private boolean ended;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param dataset the input, to which this has a reference until its last element has come
   */
  PrefetchIterator(IteratorContext outer, Dataset dataset, long bufferSize) {
    this.context = outer.child();
    this.turns = new Turns(context::executeInBackground, this::produce);
    this.dataset = dataset;
    this.tunes = bufferSize == AUTOTUNE;
    this.limit = tunes ? 1 : bufferSize;
    this.input = dataset.iterator(context);
    Variant.share(dataset);
  }

  // ---- consumer ----

  @Override
  public void next(ElementReceiver receiver) {
    Answer answer = null;
    boolean isEnd = false;
    synchronized (this) {
      if (!ready.isEmpty()) {
        answer = unkept(ready.poll());
      } else if (ended) {
        isEnd = true;
      } else {
        waiting = receiver;
        tune();
      }
    }
    resume();
    if (answer != null) {
      answer.accept(receiver);
    } else if (isEnd) {
      receiver.end();
    }
  }

  private void resume() {
    boolean begins;
    synchronized (this) {
      begins = claim();
    }
    if (begins) {
      context.backgroundBegins();
      context.execute(turns::take);
    }
  }

  @GuardedBy("this")
  private void tune() {
    if (tunes && wasFull && limit < MOST_AUTOTUNED) {
      limit *= 2;
      wasFull = false;
    }
  }

  /** Decides whether the caller has to make the input produce. */
  @GuardedBy("this")
  private boolean claim() {
    if (producing || !wantsMore()) {
      return false;
    }
    producing = true;
    return true;
  }

  @GuardedBy("this")
  private boolean wantsMore() {
    wasFull |= ready.size() >= limit;
    return !ended && !closed && (ready.size() < limit || waiting != null);
  }

  @Override
  public synchronized long buffered() {
    return ready.size();
  }

  @Override
  public synchronized long capacity() {
    return limit;
  }

  // ---- producer ----

  private void produce() {
    boolean asksInput;
    boolean isClosed;
    synchronized (this) {
      asksInput = wantsMore() && context.background().begin(waiting != null, resumption);
      producing = asksInput;
      isClosed = closed;
    }
    if (asksInput) {
      input.next(this);
      return;
    }
    if (isClosed) {
      release();
    }
    context.backgroundEnds();
  }

  @Override
  public void element(Tensor[] components) {
    answered(new Answer(components, null));
  }

  @Override
  public void failure(RuntimeException failure) {
    answered(new Answer(null, failure));
  }

  @Override
  public void end() {
    ElementReceiver receiver;
    synchronized (this) {
      ended = true;
      receiver = waiting;
      waiting = null;
    }
    if (receiver != null) {
      handOver(receiver::end);
    }
    context.background().end();
    turns.take();
  }

  private void answered(Answer answer) {
    ElementReceiver receiver;
    synchronized (this) {
      receiver = waiting;
      waiting = null;
      if (receiver == null && !closed) {
        keep(answer);
      } else if (receiver == null) {
        answer.drop();
      }
    }
    if (receiver != null) {
      ElementReceiver consumer = receiver;
      handOver(() -> answer.accept(consumer));
    }
    context.background().end();
    turns.take();
  }

  /**
   * Without heap for more, the buffer is as large as it is now; this element is still one of it.
   */
  @GuardedBy("this")
  private void keep(Answer answer) {
    long bytes = ElementHeap.ofElement(answer.element() == null ? 0 : answer.element().length);
    if (!context.heap().tryTake(bytes)) {
      bytes = 0;
      limit = Math.min(limit, ready.size() + 1L);
    }
    ready.add(new Kept(answer, bytes));
  }

  private Answer unkept(Kept kept) {
    context.heap().giveBack(kept.heapBytes());
    return kept.answer();
  }

  /** The consumer has work of its own, which must not keep this thread from the next element. */
  private void handOver(Runnable answer) {
    context.executeInBackground(answer);
  }

  @Override
  public void save(StateWriter writer) {
    synchronized (this) {
      writer.number(ready.size());
      ready.forEach(kept -> kept.answer().save(writer));
      writer.number(limit);
      writer.truth(wasFull);
      writer.truth(ended);
    }
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    synchronized (this) {
      int count = reader.count();
      for (int i = 0; i < count; i++) {
        keep(Answer.restored(reader));
      }
      limit = reader.number();
      wasFull = reader.truth();
      ended = reader.truth();
    }
    input.restore(reader);
  }

  @Override
  public void close() {
    boolean isIdle;
    synchronized (this) {
      closed = true;
      ready.forEach(kept -> unkept(kept).drop());
      ready.clear();
      isIdle = !producing;
    }
    context.cancel();
    if (isIdle) {
      release();
    }
  }

  private void release() {
    input.close();
    Variant.end(dataset);
  }
}
