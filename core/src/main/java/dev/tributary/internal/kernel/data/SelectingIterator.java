package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;

/** The elements of an input at some of its positions. */
final class SelectingIterator extends SerialIterator {
  /** Decides about positions, which are asked for in order. */
  private interface Choice {
    boolean isKept(long position);

    /** Returns whether no position from this one on is kept. */
    default boolean isLast(long position) {
      return false;
    }

    /** The elements that the input must have, unless none would be kept of what it has. */
    default long wanted() {
      return 0;
    }
  }

  private final ElementIterator input;
  private final Choice choice;
  private long position;

  /** The element that waits until it is known that every shard has one. */
  private Tensor[] first = Elements.NONE;

  private SelectingIterator(IteratorContext context, ElementIterator input, Choice choice) {
    super(context);
    this.input = input;
    this.choice = choice;
  }

  /** The first elements; all if the count is negative. */
  static SerialIterator take(IteratorContext context, ElementIterator input, long count) {
    return new SelectingIterator(
        context,
        input,
        new Choice() {
          @Override
          public boolean isKept(long position) {
            return true;
          }

          @Override
          public boolean isLast(long position) {
            return count >= 0 && position >= count;
          }
        });
  }

  /** All but the first elements; none if the count is negative. */
  static SerialIterator skip(IteratorContext context, ElementIterator input, long count) {
    return new SelectingIterator(
        context,
        input,
        new Choice() {
          @Override
          public boolean isKept(long position) {
            return position >= count;
          }

          @Override
          public boolean isLast(long position) {
            return count < 0;
          }
        });
  }

  /** Every n-th element, from that of an index on. */
  static SerialIterator shard(
      IteratorContext context, ElementIterator input, long shards, long index) {
    return new SelectingIterator(context, input, position -> position % shards == index);
  }

  /** The same of the names of files, of which each shard has to have one. */
  static SerialIterator shardOfFiles(
      IteratorContext context, ElementIterator input, long shards, long index) {
    return new SelectingIterator(
        context,
        input,
        new Choice() {
          @Override
          public boolean isKept(long position) {
            return position % shards == index;
          }

          @Override
          public long wanted() {
            return shards;
          }
        });
  }

  @Override
  void onNext() {
    if (choice.isLast(position)) {
      emitEnd();
    } else {
      pull(input);
    }
  }

  @Override
  void onElement(Tensor[] components) {
    boolean isKept = choice.isKept(position++);
    if (isKept && position >= choice.wanted()) {
      emit(components);
    } else if (isKept) {
      first = components;
      pull(input);
    } else if (first.length > 0 && position == choice.wanted()) {
      Elements.close(components);
      emit(withoutFirst());
    } else {
      Elements.close(components);
      pull(input);
    }
  }

  @Override
  void onEnd() {
    if (first.length == 0) {
      emitEnd();
      return;
    }
    Elements.close(withoutFirst());
    emitFailure(
        TributaryException.invalidArgument(
            "Could not apply FILE based sharding: the dataset only has %d file(s), which is not"
                + " enough for the required %d shards/workers. Shard by DATA, or not at all"
                + " (OFF), or split the input into more files.",
            position, choice.wanted()));
  }

  private Tensor[] withoutFirst() {
    Tensor[] element = first;
    first = Elements.NONE;
    return element;
  }

  @Override
  void onFailure(RuntimeException failure) {
    position++;
    emitFailure(failure);
  }

  @Override
  public void save(StateWriter writer) {
    writer.number(position);
    if (choice.wanted() > 0) {
      writer.element(first);
    }
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    position = reader.number();
    if (choice.wanted() > 0) {
      first = reader.element();
    }
    input.restore(reader);
  }

  @Override
  public void close() {
    Elements.close(withoutFirst());
    input.close();
  }
}
