package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;

/** The elements of the input, which must be as many as was said. */
final class CountedIterator extends SerialIterator {
  private final ElementIterator input;
  private final long wanted;
  private long count;

  CountedIterator(IteratorContext context, ElementIterator input, long wanted) {
    super(context);
    this.input = input;
    this.wanted = wanted;
  }

  @Override
  void onNext() {
    pull(input);
  }

  @Override
  void onElement(Tensor[] components) {
    count++;
    if (wanted >= 0 && count > wanted) {
      Elements.close(components);
      throw wrong("at least " + count);
    }
    emit(components);
  }

  @Override
  void onEnd() {
    if (wanted != Cardinality.UNKNOWN && count != wanted) {
      throw wrong("" + count);
    }
    emitEnd();
  }

  private TributaryException wrong(String found) {
    return TributaryException.failedPrecondition(
        "Input dataset was expected to contain %s elements but contained %s element(s).",
        wanted == Cardinality.INFINITE ? "an infinite number of" : "" + wanted, found);
  }

  @Override
  public void save(StateWriter writer) {
    writer.number(count);
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    count = reader.number();
    input.restore(reader);
  }

  @Override
  public void close() {
    input.close();
  }
}
