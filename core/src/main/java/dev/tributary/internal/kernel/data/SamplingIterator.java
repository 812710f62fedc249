package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Tensor;

/** Elements that are chosen at random, each with the same probability. */
final class SamplingIterator extends SerialIterator {
  /** The bits of a word that make the fraction of a float. */
  private static final int FRACTION_BITS = 23;

  private final ElementIterator input;
  private final float rate;
  private final RandomWords words;

  SamplingIterator(IteratorContext context, ElementIterator input, float rate, RandomWords words) {
    super(context);
    this.input = input;
    this.rate = rate;
    this.words = words;
  }

  @Override
  void onNext() {
    pull(input);
  }

  @Override
  void onElement(Tensor[] components) {
    if (number() < rate) {
      emit(components);
    } else {
      Elements.close(components);
      pull(input);
    }
  }

  /** At least 0 and less than 1, made of a word as TensorFlow does. */
  private float number() {
    int fraction = (int) words.next() & (1 << FRACTION_BITS) - 1;
    return Float.intBitsToFloat(fraction | 127 << FRACTION_BITS) - 1;
  }

  @Override
  public void save(StateWriter writer) {
    words.save(writer);
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    words.restore(reader);
    input.restore(reader);
  }

  @Override
  public void close() {
    input.close();
  }
}
