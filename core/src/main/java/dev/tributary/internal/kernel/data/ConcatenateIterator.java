package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/** The elements of several datasets, one dataset after the other. */
final class ConcatenateIterator extends SerialIterator {
  private final List<Dataset> inputs;
  private Optional<ElementIterator> pass = Optional.empty();
  private int index;

  ConcatenateIterator(IteratorContext context, List<Dataset> inputs) {
    super(context);
    this.inputs = inputs;
  }

  @Override
  void onNext() {
    if (pass.isEmpty()) {
      if (index == inputs.size()) {
        emitEnd();
        return;
      }
      pass = Optional.of(inputs.get(index++).iterator(context()));
    }
    pull(pass.get());
  }

  @Override
  void onElement(Tensor[] components) {
    emit(components);
  }

  @Override
  void onEnd() {
    close();
    onNext();
  }

  @Override
  public void save(StateWriter writer) {
    writer.number(index);
    writer.truth(pass.isPresent());
    pass.ifPresent(open -> open.save(writer));
  }

  @Override
  public void restore(StateReader reader) {
    index = Math.min(reader.index(), inputs.size());
    if (reader.truth()) {
      pass = Optional.of(inputs.get(Math.max(0, index - 1)).iterator(context()));
      pass.get().restore(reader);
    }
  }

  @Override
  public void close() {
    pass.ifPresent(ElementIterator::close);
    pass = Optional.empty();
  }
}
