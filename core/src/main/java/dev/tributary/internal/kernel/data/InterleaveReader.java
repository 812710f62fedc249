package dev.tributary.internal.kernel.data;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.internal.kernel.CapturedFunction;
import dev.tributary.tensor.Tensor;

/**
 * A dataset of a parallel interleave that is made and read ahead, up to a number of elements. The
 * monitor of the interleave guards its fields; only one thread at a time reads.
 */
final class InterleaveReader implements ElementReceiver, CapturedFunction.Completion {
  private final ParallelInterleaveIterator owner;
  private final IteratorContext context;
  private final StageFunction function;
  private final InterleaveSlot slot;
  private final Turns turns;
  private final AnswerBuffer ready;
  private int limit;

  /** True from when it was told to read until its buffer is full or the dataset has ended. */
  private boolean active;

  private boolean ended;

  /**
   * @param slot goes over to the reader
   * @param limit the most elements that wait
   */
  InterleaveReader(
      ParallelInterleaveIterator owner,
      IteratorContext context,
      StageFunction function,
      InterleaveSlot slot,
      int limit) {
    this.owner = owner;
    this.context = context;
    this.function = function;
    this.slot = slot;
    this.limit = limit;
    this.ready = new AnswerBuffer(context.heap());
    this.turns = new Turns(context::executeInBackground, this::read);
  }

  // ---- with the owner's monitor ----

  Answer poll() {
    return ready.poll();
  }

  /** Returns whether all elements were given. */
  boolean isOver() {
    return ended && ready.size() == 0;
  }

  int buffered() {
    return ready.size();
  }

  /** Returns whether it should be told to read: half of its buffer is free. */
  boolean wantsToRead() {
    return !active && !ended && ready.size() <= limit / 2;
  }

  void activate() {
    active = true;
  }

  @GuardedBy("owner")
  private boolean deactivates() {
    active = !ended && !owner.isClosed() && ready.size() < limit;
    return !active;
  }

  // ---- reading ----

  /** Reads until the buffer is full. Called after it was activated. */
  void begin() {
    turns.take();
  }

  private void read() {
    if (slot.isOpen()) {
      slot.pass().next(this);
    } else {
      function.call(context.cancellation(), this, slot.arguments());
    }
  }

  @Override
  public void succeed(Tensor[] results) {
    try {
      slot.open(results, context);
    } catch (RuntimeException e) {
      fail(e);
      return;
    } finally {
      Elements.close(results);
    }
    turns.take();
  }

  /** The dataset could not be made. */
  @Override
  public void fail(RuntimeException failure) {
    answered(new Answer(null, MapIterator.named(function, failure)), true);
  }

  @Override
  public void element(Tensor[] components) {
    answered(new Answer(components, null), false);
  }

  @Override
  public void failure(RuntimeException failure) {
    answered(new Answer(null, failure), false);
  }

  @Override
  public void end() {
    answered(null, true);
  }

  private void answered(Answer answer, boolean isLast) {
    boolean isDone;
    synchronized (owner) {
      if (answer != null && !ready.add(answer)) {
        limit = ready.size();
      }
      ended = isLast;
      isDone = deactivates();
    }
    owner.serveElsewhere();
    if (isDone) {
      owner.readEnds();
    } else {
      turns.take();
    }
  }

  // ---- state ----

  void save(StateWriter writer) {
    slot.save(writer);
    writer.truth(ended);
    ready.save(writer);
  }

  /** Goes on as the rest of what {@link #save} took down, behind the slot, says. */
  void restore(StateReader reader) {
    ended = reader.truth();
    ready.restore(reader);
  }

  /** Gives back the dataset and the elements; called once, when nothing is under way. */
  void close() {
    ready.dropAll();
    slot.close();
  }
}
