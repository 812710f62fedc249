package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.StoredElements;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Saves the elements of the input on file threads, some at a time. They pass on to the consumer, or
 * else there is one element without components when all are saved.
 */
final class StoringIterator extends SerialIterator {
  private static final int MOST_WAITING = 64;
  private static final long MOST_BYTES_WAITING = 1 << 20;

  /** An element that was not written yet. */
  private record Waiting(long shard, Tensor[] element) {}

  private enum Work {
    NONE,
    BEGIN,
    CALL,
    WRITE
  }

  private final ElementStore store;
  private final ElementIterator input;
  private final Optional<StageFunction> shardFunction;
  private final boolean passesOn;
  private final List<Waiting> waiting = new ArrayList<>();
  private Optional<StoredElements.Writer> writer = Optional.empty();
  private Tensor[] element = Elements.NONE;
  private Work work = Work.NONE;
  private long waitingBytes;
  private boolean inputEnded;
  private boolean ended;

  /**
   * @param shardFunction returns the number of an element's shard; without it there is one shard
   */
  StoringIterator(
      IteratorContext context,
      ElementStore store,
      ElementIterator input,
      Optional<StageFunction> shardFunction,
      boolean passesOn) {
    super(context);
    this.store = store;
    this.input = input;
    this.shardFunction = shardFunction;
    this.passesOn = passesOn;
  }

  @Override
  void onNext() {
    if (ended) {
      emitEnd();
    } else if (writer.isEmpty()) {
      // A folder that cannot be written is an error before elements were made for it.
      work = Work.BEGIN;
      callFiles(store.stage(), this::begin);
    } else {
      pull(input);
    }
  }

  /** On a file thread. */
  private void begin() {
    writer = Optional.of(store.begin(context().device().files()));
  }

  @Override
  void onElement(Tensor[] components) {
    element = components;
    if (shardFunction.isPresent()) {
      work = Work.CALL;
      call(shardFunction.get(), components);
    } else {
      await(0);
    }
  }

  @Override
  void onResults(Tensor[] results) {
    work = Work.NONE;
    long shard;
    try {
      boolean isNumber =
          results.length == 1 && results[0].type() == DataType.INT64 && results[0].rank() == 0;
      if (!isNumber) {
        dropElement();
        throw TributaryException.invalidArgument(
            "%s: the shard function must return one int64 scalar", store.stage());
      }
      shard = results[0].longValue();
    } finally {
      Elements.close(results);
    }
    await(shard);
  }

  private void await(long shard) {
    waiting.add(new Waiting(shard, Elements.retain(List.of(element))));
    waitingBytes += ElementsAhead.bytes(element);
    if (waiting.size() < MOST_WAITING && waitingBytes < MOST_BYTES_WAITING) {
      goOn();
    } else {
      write();
    }
  }

  private void goOn() {
    Tensor[] taken = element;
    element = Elements.NONE;
    if (passesOn) {
      emit(taken);
    } else {
      Elements.close(taken);
      pull(input);
    }
  }

  private void write() {
    work = Work.WRITE;
    callFiles(store.stage(), this::writeWaiting);
  }

  /** On a file thread. */
  private void writeWaiting() {
    StoredElements.Writer open = writer.orElseThrow();
    waiting.forEach(each -> open.add(each.shard(), each.element()));
    dropWaiting();
    if (inputEnded) {
      open.finish();
    }
  }

  @Override
  void onFilesDone() {
    Work done = work;
    work = Work.NONE;
    if (done == Work.BEGIN) {
      pull(input);
      return;
    }
    if (!inputEnded) {
      goOn();
      return;
    }
    ended = true;
    if (passesOn) {
      emitEnd();
    } else {
      emit();
    }
  }

  @Override
  void onEnd() {
    inputEnded = true;
    write();
  }

  /** Elements behind one that was not saved would be found as if they were all. */
  @Override
  void onFailure(RuntimeException failure) {
    Work failed = work;
    work = Work.NONE;
    dropElement();
    ended |= failed == Work.WRITE;
    emitFailure(
        failed == Work.CALL ? MapIterator.named(shardFunction.orElseThrow(), failure) : failure);
  }

  private void dropElement() {
    Elements.close(element);
    element = Elements.NONE;
  }

  private void dropWaiting() {
    waiting.forEach(each -> Elements.close(each.element()));
    waiting.clear();
    waitingBytes = 0;
  }

  @Override
  public void save(StateWriter state) {
    throw TributaryException.unimplemented(
        "%s: a pass that saves elements in '%s' cannot be saved itself; save when they are"
            + " complete, which is at the end of the pass",
        store.stage(), store.folder());
  }

  @Override
  public void restore(StateReader state) {
    throw StateReader.mismatch();
  }

  @Override
  public void close() {
    dropElement();
    dropWaiting();
    writer.ifPresent(StoredElements.Writer::close);
    input.close();
  }
}
