package dev.tributary.internal.kernel.queue;

import dev.tributary.internal.kernel.random.Philox;
import dev.tributary.internal.kernel.random.WordSource;
import java.security.SecureRandom;

/** The kinds of queues, which differ in what comes out next. */
public enum QueueKind {
  FIFO("FIFOQueue") {
    @Override
    ElementOrder newOrder(QueueSpec spec) {
      return ElementOrder.fifo();
    }
  },

  /** First in, first out; sizes may differ, and a batch is filled up with zeros. */
  PADDING_FIFO("PaddingFIFOQueue") {
    @Override
    ElementOrder newOrder(QueueSpec spec) {
      return ElementOrder.fifo();
    }
  },

  RANDOM_SHUFFLE("RandomShuffleQueue") {
    @Override
    ElementOrder newOrder(QueueSpec spec) {
      boolean seeded = spec.seed() != 0 || spec.seed2() != 0;
      SecureRandom entropy = new SecureRandom();
      return new ShuffledOrder(
          new WordSource(
              seeded
                  ? Philox.ofSeeds(spec.seed(), spec.seed2())
                  : Philox.ofSeeds(entropy.nextLong(), entropy.nextLong())));
    }
  },

  /** The first component of an element is an int64; the smallest comes out first. */
  PRIORITY("PriorityQueue") {
    @Override
    ElementOrder newOrder(QueueSpec spec) {
      return new PriorityOrder();
    }
  };

  private final String opName;

  QueueKind(String opName) {
    this.opName = opName;
  }

  /** TensorFlow's name of the kind, and of the op that makes one behind a reference. */
  public String opName() {
    return opName;
  }

  abstract ElementOrder newOrder(QueueSpec spec);
}
