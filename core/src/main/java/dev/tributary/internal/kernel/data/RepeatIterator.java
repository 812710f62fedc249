package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Tensor;
import java.util.Optional;

/** The elements of a dataset several times, each time by a new pass. */
final class RepeatIterator extends SerialIterator {
  private final Dataset input;
  private final long count;
  private Optional<ElementIterator> pass = Optional.empty();
  private long passes;
  private boolean passIsEmpty;
  private boolean ended;

  /**
   * @param count negative: without end
   */
  RepeatIterator(IteratorContext context, Dataset input, long count) {
    super(context);
    this.input = input;
    this.count = count;
  }

  @Override
  void onNext() {
    if (pass.isEmpty()) {
      if (ended || passes == count) {
        emitEnd();
        return;
      }
      pass = Optional.of(input.iterator(context()));
      passIsEmpty = true;
    }
    pull(pass.get());
  }

  @Override
  void onElement(Tensor[] components) {
    passIsEmpty = false;
    emit(components);
  }

  @Override
  void onFailure(RuntimeException failure) {
    passIsEmpty = false;
    emitFailure(failure);
  }

  @Override
  void onEnd() {
    close();
    passes++;
    // An empty dataset without end would keep a thread busy for ever.
    ended = count < 0 && passIsEmpty;
    onNext();
  }

  @Override
  public void save(StateWriter writer) {
    writer.number(passes);
    writer.truth(passIsEmpty);
    writer.truth(ended);
    writer.truth(pass.isPresent());
    pass.ifPresent(open -> open.save(writer));
  }

  @Override
  public void restore(StateReader reader) {
    passes = reader.number();
    passIsEmpty = reader.truth();
    ended = reader.truth();
    if (reader.truth()) {
      pass = Optional.of(input.iterator(context()));
      pass.get().restore(reader);
    }
  }

  @Override
  public void close() {
    pass.ifPresent(ElementIterator::close);
    pass = Optional.empty();
  }
}
