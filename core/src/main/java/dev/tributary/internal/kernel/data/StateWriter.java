package dev.tributary.internal.kernel.data;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.tensor.IteratorState;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Takes down the state of a pass, which {@link StateReader} reads in the same order: numbers in one
 * list, tensors in another. Confined to one thread.
 */
final class StateWriter implements AutoCloseable {
  private final List<Tensor> tensors = new ArrayList<>();
  private long[] numbers = new long[64];
  private int count;

  void number(long value) {
    if (count == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * count);
    }
    numbers[count++] = value;
  }

  void truth(boolean value) {
    number(value ? 1 : 0);
  }

  /** A tensor that stays the caller's. */
  void tensor(Tensor value) {
    tensors.add(value.retain());
  }

  void text(String value) {
    tensors.add(Tensor.scalar(value));
  }

  /** Components that stay the caller's. */
  void element(Tensor[] components) {
    number(components.length);
    for (Tensor component : components) {
      if (component.type() == DataType.VARIANT && holdsDataset(component)) {
        throw TributaryException.unimplemented(
            "the state of an iterator whose buffers hold datasets, such as windows, cannot be"
                + " saved: save before the elements are buffered, or put the buffer behind the"
                + " stage that reads the datasets");
      }
      tensors.add(component.retain());
    }
  }

  private static boolean holdsDataset(Tensor component) {
    return Arrays.stream(component.objects()).anyMatch(Dataset.class::isInstance);
  }

  void elements(Collection<Tensor[]> elements) {
    number(elements.size());
    elements.forEach(this::element);
  }

  void failure(RuntimeException failure) {
    number(
        failure instanceof TributaryException known
            ? known.code().number()
            : ErrorCode.INTERNAL.number());
    text(String.valueOf(failure.getMessage()));
  }

  /** A part that can be cut out and read later. */
  void section(Runnable part) {
    int at = count;
    int tensorsBefore = tensors.size();
    number(0);
    number(0);
    part.run();
    numbers[at] = (long) count - at - 2;
    numbers[at + 1] = (long) tensors.size() - tensorsBefore;
  }

  /** The state, with the caller's reference. */
  IteratorState finish() {
    List<Tensor> all = new ArrayList<>();
    all.add(Tensor.of(Arrays.copyOf(numbers, count)));
    all.addAll(tensors);
    tensors.clear();
    return IteratorState.of(all);
  }

  /** Gives back what a state that was not finished holds. */
  @Override
  public void close() {
    tensors.forEach(Tensor::close);
    tensors.clear();
  }
}
