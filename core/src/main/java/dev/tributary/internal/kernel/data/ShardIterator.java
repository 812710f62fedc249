package dev.tributary.internal.kernel.data;

import dev.tributary.internal.bundle.StoredElements;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/** The saved elements of one shard, which are read on file threads. */
final class ShardIterator extends SerialIterator {
  private final ElementStore store;
  private final String shard;
  private final ElementsAhead ahead = new ElementsAhead();
  private Optional<StoredElements.Reader> reader = Optional.empty();
  private boolean ended;

  /** Elements that were given, and those to pass over when the shard is opened. */
  private long given;

  ShardIterator(IteratorContext context, ElementStore store, String shard) {
    super(context);
    this.store = store;
    this.shard = shard;
  }

  @Override
  void onNext() {
    if (!ahead.isEmpty()) {
      given++;
      emit(ahead.poll());
    } else if (ended) {
      emitEnd();
    } else {
      callFiles(store.stage(), this::read);
    }
  }

  /** On a file thread. A file that cannot be read on is the end of the shard. */
  private void read() {
    boolean goesOn = false;
    try {
      if (reader.isEmpty()) {
        reader = Optional.of(store.open(context().device().files(), shard));
        for (long i = 0; i < given; i++) {
          next().ifPresent(Elements::close);
        }
      }
      goesOn = ahead.fill(this::next);
    } finally {
      ended = !goesOn;
    }
  }

  private Optional<Tensor[]> next() {
    return reader.orElseThrow().next(context().device().allocator());
  }

  @Override
  void onFilesDone() {
    onNext();
  }

  @Override
  void onElement(Tensor[] components) {
    throw new IllegalStateException("this stage has no input");
  }

  @Override
  public void save(StateWriter writer) {
    writer.number(given);
    writer.truth(ended && ahead.isEmpty());
  }

  @Override
  public void restore(StateReader state) {
    given = state.number();
    ended = state.truth();
  }

  @Override
  public void close() {
    ahead.close();
    reader.ifPresent(StoredElements.Reader::close);
  }
}
