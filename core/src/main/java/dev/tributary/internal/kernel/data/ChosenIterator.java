package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** The elements behind whose components a predicate has returned true, without its result. */
final class ChosenIterator extends SerialIterator {
  private final ElementIterator input;
  private final ElementFunction predicate;
  private final int width;

  /**
   * @param predicate whose results are behind the components
   * @param width the components of an element
   */
  ChosenIterator(
      IteratorContext context, ElementIterator input, ElementFunction predicate, int width) {
    super(context);
    this.input = input;
    this.predicate = predicate;
    this.width = width;
  }

  @Override
  void onNext() {
    pull(input);
  }

  @Override
  void onElement(Tensor[] components) {
    Tensor[] element = Arrays.copyOf(components, width);
    Tensor[] results = Arrays.copyOfRange(components, width, components.length);
    boolean isChosen;
    try {
      isChosen = FilterIterator.truth(results, predicate);
    } catch (RuntimeException e) {
      Elements.close(element);
      throw e;
    } finally {
      Elements.close(results);
    }
    if (isChosen) {
      emit(element);
    } else {
      Elements.close(element);
      pull(input);
    }
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
