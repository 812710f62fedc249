package dev.tributary.internal.kernel.random;

import dev.tributary.error.TributaryException;

/** A distribution of classes from 0 to below a number. */
public interface CandidateRange {
  long size();

  /**
   * Draws a class.
   *
   * @param number how many classes were accepted before
   */
  long draw(WordSource words, int number);

  double probability(long value);

  /** Makes a class that occurs more likely, in a distribution that learns. */
  default void learn(long value) {}

  /** All classes are equally likely. */
  static CandidateRange uniform(long size) {
    return new CandidateRange() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public long draw(WordSource words, int number) {
        return words.nextBelow(size);
      }

      @Override
      public double probability(long value) {
        return 1.0 / size;
      }
    };
  }

  /** Small classes are likely, as those of words that are sorted by their frequency. */
  static CandidateRange logUniform(long size) {
    double logSize = Math.log1p(size);
    return new CandidateRange() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public long draw(WordSource words, int number) {
        return ((long) Math.exp(words.nextDouble() * logSize) - 1) % size;
      }

      @Override
      public double probability(long value) {
        return Math.log((value + 2.0) / (value + 1.0)) / logSize;
      }
    };
  }

  /** Each class once, in order. */
  static CandidateRange all(long size) {
    return new CandidateRange() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public long draw(WordSource words, int number) {
        return number;
      }

      @Override
      public double probability(long value) {
        return 1.0 / size;
      }
    };
  }

  /** Classes with these weights, one at least, whose sum is positive. */
  static CandidateRange unigrams(float[] weights) {
    return new UnigramRange(weights);
  }

  /** Classes that become likelier with each time that they are {@linkplain #learn learned}. */
  static CandidateRange learned(long size) {
    if (size >= Integer.MAX_VALUE) {
      throw TributaryException.invalidArgument(
          "range_max must be less than %d, got %d", Integer.MAX_VALUE, size);
    }
    return new LearnedRange((int) size);
  }
}
