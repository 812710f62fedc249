package dev.tributary.train.queue;

import dev.tributary.error.TributaryException;
import java.util.OptionalLong;

/**
 * Options of an input producer. Immutable.
 *
 * @param epochs the number of times that each element is produced; no limit if empty
 * @param shuffle whether each epoch has a random order
 * @param seed the seed of that order
 * @param capacity the capacity of the producer's queue
 * @param sharedName the name under which tasks share the queue; empty for none
 */
public record ProducerOptions(
    OptionalLong epochs, boolean shuffle, OptionalLong seed, int capacity, String sharedName) {
  private static final ProducerOptions DEFAULTS =
      new ProducerOptions(OptionalLong.empty(), true, OptionalLong.empty(), 32, "");

  public ProducerOptions {
    if (epochs.isPresent() && epochs.getAsLong() <= 0) {
      throw TributaryException.invalidArgument(
          "the number of epochs must be positive, got %d", epochs.getAsLong());
    }
  }

  /** Returns options for shuffled elements without a limit, and a queue of 32. */
  public static ProducerOptions defaults() {
    return DEFAULTS;
  }

  public ProducerOptions withEpochs(long count) {
    return new ProducerOptions(OptionalLong.of(count), shuffle, seed, capacity, sharedName);
  }

  public ProducerOptions withoutShuffle() {
    return new ProducerOptions(epochs, false, seed, capacity, sharedName);
  }

  public ProducerOptions withSeed(long newSeed) {
    return new ProducerOptions(epochs, shuffle, OptionalLong.of(newSeed), capacity, sharedName);
  }

  public ProducerOptions withCapacity(int elements) {
    return new ProducerOptions(epochs, shuffle, seed, elements, sharedName);
  }

  public ProducerOptions withSharedName(String name) {
    return new ProducerOptions(epochs, shuffle, seed, capacity, name);
  }
}
