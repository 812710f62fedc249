package dev.tributary.internal.kernel.data;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;

/** The results of a function for each element. */
final class MapIterator extends SerialIterator {
  private final ElementIterator input;
  private final StageFunction function;
  private final boolean preservesCardinality;
  private Tensor[] arguments = Elements.NONE;

  MapIterator(
      IteratorContext context,
      ElementIterator input,
      StageFunction function,
      boolean preservesCardinality) {
    super(context);
    this.input = input;
    this.function = function;
    this.preservesCardinality = preservesCardinality;
  }

  @Override
  void onNext() {
    pull(input);
  }

  @Override
  void onElement(Tensor[] components) {
    arguments = components;
    call(function, components);
  }

  @Override
  void onResults(Tensor[] results) {
    dropArguments();
    emit(results);
  }

  @Override
  void onFailure(RuntimeException failure) {
    boolean isCall = arguments != Elements.NONE;
    dropArguments();
    if (!isCall) {
      emitFailure(failure);
    } else if (isOutOfRange(failure) && !preservesCardinality) {
      emitEnd();
    } else {
      emitFailure(named(function, failure));
    }
  }

  /** A function that fails with OUT_OF_RANGE ends the dataset, as in TensorFlow. */
  static boolean isOutOfRange(RuntimeException failure) {
    return failure instanceof TributaryException known && known.code() == ErrorCode.OUT_OF_RANGE;
  }

  /** The failure of a call. It is not the end of the sequence, whatever its code was. */
  static RuntimeException named(ElementFunction function, RuntimeException failure) {
    if (isOutOfRange(failure)) {
      return TributaryException.invalidArgument(
          "%s: Function invocation produced OutOfRangeError: %s",
          function.stage(), failure.getMessage());
    }
    return failure instanceof TributaryException known ? known.at(function.stage()) : failure;
  }

  private void dropArguments() {
    Tensor[] done = arguments;
    arguments = Elements.NONE;
    Elements.close(done);
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
    input.close();
  }
}
