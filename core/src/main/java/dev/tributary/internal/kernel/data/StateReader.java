package dev.tributary.internal.kernel.data;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.tensor.IteratorState;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads the state of a pass in the order in which {@link StateWriter} took it down. */
final class StateReader implements AutoCloseable {
  private final long[] numbers;
  private final List<Tensor> tensors;
  private int number;
  private int tensor;

  /**
   * @param tensors go over to this
   */
  private StateReader(long[] numbers, List<Tensor> tensors) {
    this.numbers = numbers;
    this.tensors = tensors;
  }

  static StateReader of(IteratorState state) {
    List<Tensor> all = state.tensors();
    if (all.isEmpty() || all.get(0).type() != DataType.INT64 || all.get(0).rank() != 1) {
      throw mismatch();
    }
    return new StateReader(
        all.get(0).toLongs(),
        new ArrayList<>(all.subList(1, all.size()).stream().map(Tensor::retain).toList()));
  }

  static TributaryException mismatch() {
    return TributaryException.failedPrecondition(
        "the state is not that of an iterator with this pipeline: initialise the iterator with the"
            + " pipeline that was saved, and restore it then");
  }

  long number() {
    if (number == numbers.length) {
      throw mismatch();
    }
    return numbers[number++];
  }

  /** A number of things, each of which takes a number or a tensor. */
  int count() {
    long count = number();
    if (count < 0 || count > numbers.length + tensors.size()) {
      throw mismatch();
    }
    return (int) count;
  }

  /** A position, which may be behind the end of what is there now. */
  int index() {
    long index = number();
    if (index < 0 || index > Integer.MAX_VALUE) {
      throw mismatch();
    }
    return (int) index;
  }

  boolean truth() {
    return number() != 0;
  }

  /** The next tensor, borrowed. */
  Tensor tensor() {
    if (tensor == tensors.size()) {
      throw mismatch();
    }
    return tensors.get(tensor++);
  }

  String text() {
    Tensor text = tensor();
    if (text.type() != DataType.STRING || text.rank() != 0) {
      throw mismatch();
    }
    return text.stringValue();
  }

  /** Fails unless this text is the next. */
  void expect(String text) {
    String found = text();
    if (!found.equals(text)) {
      throw TributaryException.failedPrecondition(
          "the state has a stage %s where the pipeline has %s: initialise the iterator with the"
              + " pipeline that was saved, and restore it then",
          found, text);
    }
  }

  /** Components that belong to the caller. */
  Tensor[] element() {
    Tensor[] components = new Tensor[count()];
    try {
      for (int i = 0; i < components.length; i++) {
        components[i] = tensor().retain();
      }
      return components;
    } catch (RuntimeException e) {
      Elements.close(components);
      throw e;
    }
  }

  List<Tensor[]> elements() {
    int count = count();
    List<Tensor[]> elements = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        elements.add(element());
      }
      return elements;
    } catch (RuntimeException e) {
      Elements.close(elements);
      throw e;
    }
  }

  RuntimeException failure() {
    long code = number();
    String message = text();
    for (ErrorCode known : ErrorCode.values()) {
      if (known.number() == code) {
        return new TributaryException(known, message);
      }
    }
    throw mismatch();
  }

  /** A part, which the caller closes. */
  StateReader section() {
    int length = count();
    int held = count();
    if (length > numbers.length - number || held > tensors.size() - tensor) {
      throw mismatch();
    }
    StateReader part =
        new StateReader(
            Arrays.copyOfRange(numbers, number, number + length),
            new ArrayList<>(
                tensors.subList(tensor, tensor + held).stream().map(Tensor::retain).toList()));
    number += length;
    tensor += held;
    return part;
  }

  /** The rest that was not read yet, for somebody who writes the state again. */
  void copyTo(StateWriter writer) {
    for (long value : numbers) {
      writer.number(value);
    }
    tensors.forEach(writer::tensor);
  }

  /** Fails if there is more than the pipeline has read. */
  void requireEnd() {
    if (number < numbers.length || tensor < tensors.size()) {
      throw mismatch();
    }
  }

  @Override
  public void close() {
    tensors.forEach(Tensor::close);
    tensors.clear();
  }
}
