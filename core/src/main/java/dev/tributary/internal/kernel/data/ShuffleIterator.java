package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Elements in random order: a buffer is filled from the input, and each time one of its elements is
 * taken at random. The input may be repeated; then the buffer has elements of several epochs, and
 * those of one are given before those of the next. The order for a pair of seeds is TensorFlow's.
 */
final class ShuffleIterator extends SerialIterator {
  /** The size of a buffer that takes all elements of the input. */
  static final long WHOLE_INPUT = -2;

  /** So many epochs are in the buffer at most, each of which is given before the next. */
  private static final int MOST_EPOCHS = 3;

  private final Dataset dataset;
  private final long count;
  private final long capacity;
  private RandomWords words;
  private final Optional<RandomWords> generator;

  /** A ring of the elements from {@code start} on, which grows up to the capacity. */
  private Tensor[][] ring = new Tensor[16][];

  private int start;
  private int held;

  /** The number of elements of each epoch, the oldest first. */
  private final Deque<Integer> epochs = new ArrayDeque<>();

  private Optional<ElementIterator> input = Optional.empty();
  private long passes;
  private boolean hasElements;

  /**
   * @param count how often the input is repeated; negative: without end
   * @param capacity the most elements in the buffer, or {@link #WHOLE_INPUT}
   * @param generator gives each pass words of its own, if there is one, and is saved with them
   */
  ShuffleIterator(
      IteratorContext context,
      Dataset dataset,
      long count,
      long capacity,
      RandomWords words,
      Optional<RandomWords> generator) {
    super(context);
    this.dataset = dataset;
    this.count = count;
    this.capacity = capacity == WHOLE_INPUT ? Integer.MAX_VALUE - 8 : capacity;
    this.words = words;
    this.generator = generator;
    if (count != 0) {
      input = Optional.of(dataset.iterator(context));
      epochs.add(0);
      passes = 1;
    }
  }

  @Override
  void onNext() {
    // An empty dataset without end would keep a thread busy for ever.
    boolean hasMore = input.isPresent() || passes != count && (count >= 0 || hasElements);
    boolean hasRoom = held < capacity && (held == 0 || epochs.size() <= MOST_EPOCHS);
    if (hasMore && hasRoom) {
      if (input.isEmpty()) {
        passes++;
        epochs.addLast(0);
        input = Optional.of(dataset.iterator(context()));
      }
      pull(input.get());
    } else if (held == 0) {
      emitEnd();
    } else {
      emit(takeOne());
    }
  }

  @Override
  void onElement(Tensor[] components) {
    keep(components);
    hasElements = true;
    if (held == ring.length) {
      grow();
    }
    ring[(start + held) % ring.length] = components;
    held++;
    epochs.addLast(epochs.pollLast() + 1);
    onNext();
  }

  /** Room for twice the elements, so that a large buffer takes no memory before it is needed. */
  private void grow() {
    Tensor[][] larger = new Tensor[(int) Math.min(capacity, 2L * held)][];
    for (int i = 0; i < held; i++) {
      larger[i] = ring[(start + i) % held];
    }
    ring = larger;
    start = 0;
  }

  @Override
  void onEnd() {
    closeInput();
    onNext();
  }

  private Tensor[] takeOne() {
    while (epochs.peekFirst() == 0) {
      epochs.pollFirst();
      words = generator.map(RandomWords::split).orElseGet(words::again);
    }
    int oldest = epochs.pollFirst();
    int chosen = (int) ((start + words.next() % oldest) % ring.length);
    Tensor[] element = ring[chosen];
    ring[chosen] = ring[start];
    ring[start] = null;
    start = (start + 1) % ring.length;
    held--;
    epochs.addFirst(oldest - 1);
    return unkept(element);
  }

  @Override
  public long buffered() {
    return held;
  }

  @Override
  public long capacity() {
    return capacity;
  }

  @Override
  public void save(StateWriter writer) {
    generator.ifPresent(all -> all.save(writer));
    words.save(writer);
    writer.number(held);
    for (int i = 0; i < held; i++) {
      writer.element(ring[(start + i) % ring.length]);
    }
    writer.number(epochs.size());
    epochs.forEach(writer::number);
    writer.number(passes);
    writer.truth(hasElements);
    writer.truth(input.isPresent());
    input.ifPresent(pass -> pass.save(writer));
  }

  @Override
  public void restore(StateReader reader) {
    generator.ifPresent(all -> all.restore(reader));
    words.restore(reader);
    int count = reader.count();
    ring = new Tensor[Math.max(1, count)][];
    for (; held < count; held++) {
      Tensor[] element = reader.element();
      keep(element);
      ring[held] = element;
    }
    epochs.clear();
    long ofEpochs = 0;
    for (int left = reader.count(); left > 0; left--) {
      int size = reader.count();
      epochs.add(size);
      ofEpochs += size;
    }
    if (ofEpochs != held) {
      throw StateReader.mismatch();
    }
    passes = reader.number();
    hasElements = reader.truth();
    if (reader.truth()) {
      input.orElseThrow(StateReader::mismatch).restore(reader);
    } else {
      closeInput();
    }
  }

  private void closeInput() {
    input.ifPresent(ElementIterator::close);
    input = Optional.empty();
  }

  @Override
  public void close() {
    for (; held > 0; held--) {
      Elements.close(unkept(ring[start]));
      start = (start + 1) % ring.length;
    }
    closeInput();
  }
}
