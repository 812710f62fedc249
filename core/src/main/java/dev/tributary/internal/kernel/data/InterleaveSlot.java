package dev.tributary.internal.kernel.data;

import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.Tensor;

/**
 * A dataset of an interleave's cycle and the pass over it. It keeps what the dataset was made of,
 * since datasets cannot be saved: one that was restored is made again when its turn comes.
 */
final class InterleaveSlot {
  private final Tensor[] arguments;
  private StateReader saved;
  private Dataset dataset;
  private ElementIterator pass;

  /**
   * @param arguments go over to the slot
   */
  InterleaveSlot(Tensor[] arguments) {
    this.arguments = arguments;
  }

  static InterleaveSlot restored(StateReader reader) {
    InterleaveSlot slot = new InterleaveSlot(reader.element());
    try {
      slot.saved = reader.truth() ? reader.section() : null;
    } catch (RuntimeException e) {
      slot.close();
      throw e;
    }
    return slot;
  }

  void save(StateWriter writer) {
    writer.element(arguments);
    boolean hasBegun = saved != null || pass != null;
    writer.truth(hasBegun);
    if (hasBegun) {
      writer.section(
          () -> {
            if (saved != null) {
              saved.copyTo(writer);
            } else {
              pass.save(writer);
            }
          });
    }
  }

  Tensor[] arguments() {
    return arguments;
  }

  boolean isOpen() {
    return pass != null;
  }

  ElementIterator pass() {
    return pass;
  }

  /** Begins with the dataset that the function returned, or goes on where it was saved. */
  void open(Tensor[] results, IteratorContext context) {
    Dataset made = Dataset.in(results[0]);
    Variant.share(made);
    dataset = made;
    pass = made.begin(context);
    if (saved != null) {
      StateReader from = saved;
      saved = null;
      try (from) {
        pass.restore(from);
      }
    }
  }

  void close() {
    Elements.close(arguments);
    if (saved != null) {
      saved.close();
    }
    if (pass != null) {
      pass.close();
    }
    if (dataset != null) {
      Variant.end(dataset);
    }
  }
}
