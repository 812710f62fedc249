package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Elements of several datasets; those of another one say from which the next is taken. */
final class DirectedInterleaveIterator extends SerialIterator {
  private static final int SELECTOR = -1;

  private final ElementIterator selector;
  private final List<ElementIterator> inputs;
  private final boolean[] over;
  private final boolean endsWithFirst;
  private int asked = SELECTOR;
  private boolean ended;

  /**
   * @param endsWithFirst whether the first input that has no more elements ends all; otherwise its
   *     numbers are passed over
   */
  DirectedInterleaveIterator(
      IteratorContext context,
      ElementIterator selector,
      List<ElementIterator> inputs,
      boolean endsWithFirst) {
    super(context);
    this.selector = selector;
    this.inputs = inputs;
    this.over = new boolean[inputs.size()];
    this.endsWithFirst = endsWithFirst;
  }

  @Override
  void onNext() {
    asked = SELECTOR;
    if (ended) {
      emitEnd();
    } else {
      pull(selector);
    }
  }

  @Override
  void onElement(Tensor[] components) {
    if (asked != SELECTOR) {
      emit(components);
      return;
    }
    int chosen;
    try {
      chosen = index(components);
    } finally {
      Elements.close(components);
    }
    if (over[chosen]) {
      onNext();
    } else {
      asked = chosen;
      pull(inputs.get(chosen));
    }
  }

  private int index(Tensor[] components) {
    boolean isNumber =
        components.length == 1
            && components[0].rank() == 0
            && components[0].type() == DataType.INT64;
    long index = isNumber ? components[0].longValue() : -1;
    if (index < 0 || index >= inputs.size()) {
      throw TributaryException.invalidArgument(
          "Selector index out of range: %s is not a scalar from 0 to %d",
          components[0], inputs.size() - 1);
    }
    return (int) index;
  }

  @Override
  void onEnd() {
    if (asked != SELECTOR) {
      over[asked] = true;
      ended = endsWithFirst;
    } else {
      ended = true;
    }
    onNext();
  }

  @Override
  public void save(StateWriter writer) {
    writer.truth(ended);
    for (boolean isOver : over) {
      writer.truth(isOver);
    }
    selector.save(writer);
    inputs.forEach(input -> input.save(writer));
  }

  @Override
  public void restore(StateReader reader) {
    ended = reader.truth();
    for (int i = 0; i < over.length; i++) {
      over[i] = reader.truth();
    }
    selector.restore(reader);
    inputs.forEach(input -> input.restore(reader));
  }

  @Override
  public void close() {
    selector.close();
    inputs.forEach(ElementIterator::close);
  }
}
