package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** The rows of each element's components. */
final class UnbatchIterator extends SerialIterator {
  private final ElementIterator input;
  private Tensor[] batch = Elements.NONE;
  private long row;
  private long rows;

  UnbatchIterator(IteratorContext context, ElementIterator input) {
    super(context);
    this.input = input;
  }

  @Override
  void onNext() {
    if (row == rows) {
      pull(input);
    } else {
      emit(Elements.rows(context().device().allocator(), List.of(batch), row++));
    }
  }

  @Override
  void onElement(Tensor[] components) {
    dropBatch();
    batch = components;
    rows = rowsOf(components);
    onNext();
  }

  /** The number of rows that all components have. */
  static long rowsOf(Tensor[] components) {
    long count = rowsOf(components[0], 0);
    for (int i = 1; i < components.length; i++) {
      if (rowsOf(components[i], i) != count) {
        throw TributaryException.invalidArgument(
            "Input element must have the same batch size in each component. Component 0 had size"
                + " %d but component %d had size %d.",
            count, i, rowsOf(components[i], i));
      }
    }
    return count;
  }

  private static long rowsOf(Tensor component, int index) {
    if (component.rank() == 0) {
      throw TributaryException.invalidArgument(
          "Cannot unbatch an element with scalar component %d.", index);
    }
    return component.shape().size(0);
  }

  private void dropBatch() {
    Tensor[] done = batch;
    batch = Elements.NONE;
    row = 0;
    rows = 0;
    Elements.close(done);
  }

  @Override
  public void save(StateWriter writer) {
    writer.element(batch);
    writer.number(row);
    writer.number(rows);
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    batch = reader.element();
    row = reader.number();
    rows = reader.number();
    input.restore(reader);
  }

  @Override
  public void close() {
    dropBatch();
    input.close();
  }
}
