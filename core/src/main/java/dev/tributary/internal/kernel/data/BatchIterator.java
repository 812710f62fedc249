package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Consecutive elements on top of each other. */
final class BatchIterator extends SerialIterator {
  /** Puts elements together, which stay the caller's. */
  @FunctionalInterface
  interface Stacking {
    Tensor[] stack(List<Tensor[]> elements);
  }

  private final ElementIterator input;
  private final long size;
  private final boolean dropRemainder;
  private final Stacking stacking;
  private final List<Tensor[]> elements = new ArrayList<>();

  BatchIterator(
      IteratorContext context,
      ElementIterator input,
      long size,
      boolean dropRemainder,
      Stacking stacking) {
    super(context);
    this.input = input;
    this.size = size;
    this.dropRemainder = dropRemainder;
    this.stacking = stacking;
  }

  @Override
  void onNext() {
    pull(input);
  }

  @Override
  void onElement(Tensor[] components) {
    try {
      keep(components);
    } catch (RuntimeException e) {
      drop();
      throw e;
    }
    elements.add(components);
    if (elements.size() < size) {
      pull(input);
    } else {
      emitBatch();
    }
  }

  /** The elements before the one that failed are lost, as in TensorFlow. */
  @Override
  void onFailure(RuntimeException failure) {
    drop();
    emitFailure(failure);
  }

  @Override
  void onEnd() {
    if (elements.isEmpty() || dropRemainder) {
      drop();
      emitEnd();
    } else {
      emitBatch();
    }
  }

  private void emitBatch() {
    Tensor[] batch;
    try {
      batch = stacking.stack(elements);
    } finally {
      drop();
    }
    emit(batch);
  }

  private void drop() {
    dropAll(elements);
  }

  @Override
  public void save(StateWriter writer) {
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    input.restore(reader);
  }

  @Override
  public void close() {
    drop();
    input.close();
  }
}
