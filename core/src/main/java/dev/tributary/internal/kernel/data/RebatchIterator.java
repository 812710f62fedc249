package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.array.Moves;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** The rows of the input's batches in batches of other sizes. */
final class RebatchIterator extends SerialIterator {
  private final ElementIterator input;
  private final long[] sizes;
  private final boolean dropsRemainder;

  /** Batches of the input of which rows are left; of the first, those from {@code row} on. */
  private final List<Tensor[]> batches = new ArrayList<>();

  private long row;
  private long rows;
  private int turn;
  private boolean inputEnded;

  RebatchIterator(
      IteratorContext context, ElementIterator input, long[] sizes, boolean dropsRemainder) {
    super(context);
    this.input = input;
    this.sizes = sizes.clone();
    this.dropsRemainder = dropsRemainder;
  }

  @Override
  void onNext() {
    long size = sizes[turn];
    if (rows < size && !inputEnded) {
      pull(input);
    } else if (rows == 0 && inputEnded || rows < size && dropsRemainder) {
      emitEnd();
    } else {
      turn = (turn + 1) % sizes.length;
      emit(take(Math.min(size, rows)));
    }
  }

  @Override
  void onElement(Tensor[] components) {
    for (Tensor component : components) {
      if (component.rank() == 0 || component.shape().size(0) != components[0].shape().size(0)) {
        Elements.close(components);
        throw TributaryException.invalidArgument(
            "Cannot rebatch dataset: All components must have at least one dimension and the same"
                + " size in the first; got %s and %s",
            components[0].shape(), component.shape());
      }
    }
    batches.add(components);
    rows += components[0].shape().size(0);
    onNext();
  }

  @Override
  void onEnd() {
    inputEnded = true;
    onNext();
  }

  private Tensor[] take(long count) {
    // An empty batch is made of what it has, or of the batch before.
    Tensor[] made = allocate(count);
    long filled = 0;
    while (filled < count) {
      Tensor[] from = batches.get(0);
      long left = from[0].shape().size(0) - row;
      long moved = Math.min(left, count - filled);
      for (int c = 0; c < made.length; c++) {
        long width = made[c].elementCount() / Math.max(1, count);
        Moves.run(from[c], row * width, made[c], filled * width, moved * width);
      }
      filled += moved;
      row += moved;
      rows -= moved;
      if (moved == left) {
        Elements.close(batches.remove(0));
        row = 0;
      }
    }
    return made;
  }

  private Tensor[] allocate(long count) {
    Tensor[] like = batches.get(0);
    for (Tensor[] batch : batches) {
      for (int c = 0; c < like.length; c++) {
        Shape wanted = like[c].shape().slice(1, like[c].rank());
        if (!batch[c].shape().slice(1, batch[c].rank()).equals(wanted)) {
          throw TributaryException.invalidArgument(
              "Cannot rebatch tensors with different shapes in component %d: %s and %s.",
              c, like[c].shape(), batch[c].shape());
        }
      }
    }
    Tensor[] made = new Tensor[like.length];
    for (int c = 0; c < made.length; c++) {
      made[c] =
          SharedTensors.allocate(
              context().device().allocator(),
              like[c].type(),
              Shape.of(count).concatenate(like[c].shape().slice(1, like[c].rank())));
    }
    return made;
  }

  @Override
  public void save(StateWriter writer) {
    writer.elements(batches);
    writer.number(row);
    writer.number(rows);
    writer.number(turn);
    writer.truth(inputEnded);
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    batches.addAll(reader.elements());
    row = reader.number();
    rows = reader.number();
    turn = Math.min(reader.index(), sizes.length - 1);
    inputEnded = reader.truth();
    input.restore(reader);
  }

  @Override
  public void close() {
    Elements.close(batches);
    input.close();
  }
}
