package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Tensor;

/**
 * The parts of the input's batches, as many of each as there are replicas. The last parts of a
 * small batch are empty.
 */
final class SplitIterator extends SerialIterator {
  private final ElementIterator input;
  private final long replicas;
  private Tensor[] batch = Elements.NONE;
  private long rows;
  private long part;

  SplitIterator(IteratorContext context, ElementIterator input, long replicas) {
    super(context);
    this.input = input;
    this.replicas = replicas;
    this.part = replicas;
  }

  @Override
  void onNext() {
    if (part == replicas) {
      pull(input);
      return;
    }
    long most = rows == 0 ? 0 : (rows - 1) / replicas + 1;
    long from = Math.min(rows, part++ * most);
    emit(Elements.slice(context().device().allocator(), batch, from, Math.min(most, rows - from)));
  }

  @Override
  void onElement(Tensor[] components) {
    Elements.close(batch);
    batch = components;
    rows = UnbatchIterator.rowsOf(components);
    part = 0;
    onNext();
  }

  @Override
  public void save(StateWriter writer) {
    writer.element(batch);
    writer.number(rows);
    writer.number(part);
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    batch = reader.element();
    rows = reader.number();
    part = reader.number();
    input.restore(reader);
  }

  @Override
  public void close() {
    Elements.close(batch);
    input.close();
  }
}
