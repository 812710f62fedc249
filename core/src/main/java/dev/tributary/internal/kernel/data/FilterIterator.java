package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;

/** The elements for which a function returns true: all of them, or those before the first false. */
final class FilterIterator extends SerialIterator {
  private final ElementIterator input;
  private final StageFunction predicate;
  private final boolean endsAtFalse;
  private Tensor[] element = Elements.NONE;
  private boolean ended;

  FilterIterator(
      IteratorContext context,
      ElementIterator input,
      StageFunction predicate,
      boolean endsAtFalse) {
    super(context);
    this.input = input;
    this.predicate = predicate;
    this.endsAtFalse = endsAtFalse;
  }

  @Override
  void onNext() {
    if (ended) {
      emitEnd();
    } else {
      pull(input);
    }
  }

  @Override
  void onElement(Tensor[] components) {
    element = components;
    call(predicate, components);
  }

  @Override
  void onResults(Tensor[] results) {
    Tensor[] asked = element;
    element = Elements.NONE;
    boolean isKept;
    try {
      isKept = truth(results, predicate);
    } catch (RuntimeException e) {
      Elements.close(asked);
      throw e;
    } finally {
      Elements.close(results);
    }
    if (isKept) {
      emit(asked);
    } else {
      Elements.close(asked);
      ended = endsAtFalse;
      onNext();
    }
  }

  @Override
  void onFailure(RuntimeException failure) {
    boolean isCall = element != Elements.NONE;
    Tensor[] asked = element;
    element = Elements.NONE;
    Elements.close(asked);
    emitFailure(
        isCall && failure instanceof TributaryException known
            ? known.at(predicate.stage())
            : failure);
  }

  /** Returns what a predicate has returned, which must be one truth. */
  static boolean truth(Tensor[] results, ElementFunction predicate) {
    if (results.length != 1 || results[0].type() != DataType.BOOL || results[0].rank() != 0) {
      throw TributaryException.invalidArgument(
              "Filter predicate `f` must return a scalar bool, but got %s.",
              results.length == 1
                  ? results[0].type().lowerName() + " of shape " + results[0].shape()
                  : results.length + " tensors")
          .at(predicate.stage());
    }
    return results[0].booleanValue();
  }

  @Override
  public void save(StateWriter writer) {
    writer.truth(ended);
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    ended = reader.truth();
    input.restore(reader);
  }

  @Override
  public void close() {
    input.close();
  }
}
