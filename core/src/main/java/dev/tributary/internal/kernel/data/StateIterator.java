package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

/**
 * Calls a function with a state and each element; its results begin with the next state. A scan
 * gives the rest of each call's results; a reduction gives the last state, as its only element.
 */
final class StateIterator extends SerialIterator {
  private final ElementIterator input;
  private final StageFunction function;
  private final boolean isReduction;
  private Tensor[] state;
  private Tensor[] element = Elements.NONE;
  private boolean ended;

  private StateIterator(
      IteratorContext context,
      ElementIterator input,
      StageFunction function,
      List<Tensor> initialState,
      boolean isReduction) {
    super(context);
    this.input = input;
    this.function = function;
    this.isReduction = isReduction;
    this.state = Elements.retain(initialState);
  }

  static StateIterator scan(
      IteratorContext context,
      ElementIterator input,
      StageFunction function,
      List<Tensor> initialState) {
    return new StateIterator(context, input, function, initialState, false);
  }

  static StateIterator reduce(
      IteratorContext context,
      ElementIterator input,
      StageFunction function,
      List<Tensor> initialState) {
    return new StateIterator(context, input, function, initialState, true);
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
    Tensor[] arguments = Arrays.copyOf(state, state.length + components.length);
    System.arraycopy(components, 0, arguments, state.length, components.length);
    call(function, arguments);
  }

  @Override
  void onResults(Tensor[] results) {
    dropElement();
    int states = state.length;
    if (results.length < states || isReduction && results.length > states) {
      Elements.close(results);
      throw TributaryException.invalidArgument(
          "%s: the function returned %d tensors, and the state has %d",
          function.stage(), results.length, states);
    }
    Tensor[] before = state;
    state = Arrays.copyOf(results, states);
    Elements.close(before);
    if (isReduction) {
      pull(input);
    } else {
      emit(Arrays.copyOfRange(results, states, results.length));
    }
  }

  @Override
  void onEnd() {
    boolean isFirst = !ended;
    ended = true;
    if (isReduction && isFirst) {
      emit(Elements.retain(List.of(state)));
    } else {
      emitEnd();
    }
  }

  @Override
  void onFailure(RuntimeException failure) {
    boolean isCall = element != Elements.NONE;
    dropElement();
    if (isCall && !isReduction && MapIterator.isOutOfRange(failure)) {
      ended = true;
      emitEnd();
    } else {
      emitFailure(isCall ? MapIterator.named(function, failure) : failure);
    }
  }

  private void dropElement() {
    Tensor[] done = element;
    element = Elements.NONE;
    Elements.close(done);
  }

  @Override
  public void save(StateWriter writer) {
    writer.element(state);
    writer.truth(ended);
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    Elements.close(state);
    state = Elements.NONE;
    state = reader.element();
    ended = reader.truth();
    input.restore(reader);
  }

  @Override
  public void close() {
    Elements.close(state);
    input.close();
  }
}
