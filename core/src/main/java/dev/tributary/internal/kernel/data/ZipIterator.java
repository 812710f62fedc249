package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Elements that are put together of one of each input; it ends with the first that ends. */
final class ZipIterator extends SerialIterator {
  private final List<ElementIterator> inputs;
  private final List<Tensor> collected = new ArrayList<>();
  private RuntimeException failure;
  private int asked;
  private boolean ended;

  ZipIterator(IteratorContext context, List<ElementIterator> inputs) {
    super(context);
    this.inputs = inputs;
  }

  @Override
  void onNext() {
    asked = 0;
    failure = null;
    pullNext();
  }

  @Override
  void onElement(Tensor[] components) {
    collected.addAll(List.of(components));
    pullNext();
  }

  /** The other inputs advance, too, so that elements of one position stay together. */
  @Override
  void onFailure(RuntimeException problem) {
    failure = failure == null ? problem : failure;
    pullNext();
  }

  @Override
  void onEnd() {
    ended = true;
    close(collected);
    emitEnd();
  }

  private void pullNext() {
    if (ended) {
      emitEnd();
    } else if (asked < inputs.size()) {
      pull(inputs.get(asked++));
    } else if (failure != null) {
      close(collected);
      emitFailure(failure);
    } else {
      Tensor[] element = collected.toArray(Tensor[]::new);
      collected.clear();
      emit(element);
    }
  }

  private static void close(List<Tensor> tensors) {
    tensors.forEach(Tensor::close);
    tensors.clear();
  }

  @Override
  public void save(StateWriter writer) {
    writer.truth(ended);
    inputs.forEach(input -> input.save(writer));
  }

  @Override
  public void restore(StateReader reader) {
    ended = reader.truth();
    inputs.forEach(input -> input.restore(reader));
  }

  @Override
  public void close() {
    close(collected);
    inputs.forEach(ElementIterator::close);
  }
}
