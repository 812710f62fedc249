package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Tensor;
import java.util.function.Consumer;

/**
 * The answer to one request, which is kept for a consumer: an element, or else a failure. It gives
 * back its element if nobody wants it.
 */
record Answer(Tensor[] element, RuntimeException failure) implements Consumer<ElementReceiver> {
  @Override
  public void accept(ElementReceiver receiver) {
    if (failure != null) {
      receiver.failure(failure);
    } else {
      receiver.element(element);
    }
  }

  void save(StateWriter writer) {
    writer.truth(failure != null);
    if (failure != null) {
      writer.failure(failure);
    } else {
      writer.element(element);
    }
  }

  static Answer restored(StateReader reader) {
    return reader.truth() ? new Answer(null, reader.failure()) : new Answer(reader.element(), null);
  }

  void drop() {
    if (element != null) {
      Elements.close(element);
    }
  }
}
