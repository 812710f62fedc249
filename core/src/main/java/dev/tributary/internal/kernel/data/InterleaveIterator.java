package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Tensor;

/**
 * The elements of datasets that a function makes of the input's elements, some from each in turn. A
 * cycle of one is one dataset after the other.
 */
final class InterleaveIterator extends SerialIterator {
  private final ElementIterator input;
  private final StageFunction function;
  private final InterleaveSlot[] slots;
  private final long blockLength;

  private int current;
  private long given;
  private int open;
  private boolean asksInput;
  private boolean inputEnded;
  private boolean calls;
  private Tensor[] arguments = Elements.NONE;

  InterleaveIterator(
      IteratorContext context,
      ElementIterator input,
      StageFunction function,
      int cycleLength,
      long blockLength) {
    super(context);
    this.input = input;
    this.function = function;
    this.slots = new InterleaveSlot[cycleLength];
    this.blockLength = blockLength;
  }

  @Override
  void onNext() {
    while (slots[current] == null && inputEnded && open > 0) {
      advance();
    }
    if (slots[current] != null && slots[current].isOpen()) {
      pull(slots[current].pass());
    } else if (slots[current] != null) {
      calls = true;
      call(function, slots[current].arguments());
    } else if (inputEnded) {
      emitEnd();
    } else {
      asksInput = true;
      pull(input);
    }
  }

  @Override
  void onElement(Tensor[] components) {
    if (asksInput) {
      asksInput = false;
      arguments = components;
      calls = true;
      call(function, components);
      return;
    }
    given++;
    if (given == blockLength) {
      advance();
    }
    emit(components);
  }

  @Override
  void onResults(Tensor[] results) {
    calls = false;
    if (slots[current] == null) {
      slots[current] = new InterleaveSlot(arguments);
      arguments = Elements.NONE;
      open++;
    }
    try {
      slots[current].open(results, context());
    } catch (RuntimeException e) {
      closeSlot(current);
      throw e;
    } finally {
      Elements.close(results);
    }
    onNext();
  }

  @Override
  void onEnd() {
    if (asksInput) {
      asksInput = false;
      inputEnded = true;
    } else {
      closeSlot(current);
      advance();
    }
    onNext();
  }

  @Override
  void onFailure(RuntimeException failure) {
    asksInput = false;
    boolean isCall = calls;
    calls = false;
    dropArguments();
    if (isCall && slots[current] != null) {
      closeSlot(current);
    }
    emitFailure(isCall ? MapIterator.named(function, failure) : failure);
  }

  private void advance() {
    current = (current + 1) % slots.length;
    given = 0;
  }

  private void closeSlot(int slot) {
    slots[slot].close();
    slots[slot] = null;
    open--;
  }

  private void dropArguments() {
    Tensor[] done = arguments;
    arguments = Elements.NONE;
    Elements.close(done);
  }

  @Override
  public void save(StateWriter writer) {
    writer.number(current);
    writer.number(given);
    writer.truth(inputEnded);
    writer.number(slots.length);
    for (InterleaveSlot slot : slots) {
      writer.truth(slot != null);
      if (slot != null) {
        slot.save(writer);
      }
    }
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    int at = reader.index();
    given = reader.number();
    inputEnded = reader.truth();
    if (reader.number() != slots.length || at >= slots.length) {
      throw StateReader.mismatch();
    }
    current = at;
    for (int i = 0; i < slots.length; i++) {
      if (reader.truth()) {
        slots[i] = InterleaveSlot.restored(reader);
        open++;
      }
    }
    input.restore(reader);
  }

  @Override
  public void close() {
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] != null) {
        closeSlot(i);
      }
    }
    input.close();
  }
}
