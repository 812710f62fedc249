package dev.tributary.internal.kernel.random;

import dev.tributary.error.TributaryException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Classes with given weights. A draw takes two random numbers, however many classes there are
 * (Walker's method): one picks a class, the other decides between it and its alternative.
 * Immutable.
 */
final class UnigramRange implements CandidateRange {
  private final float[] weights;
  private final float total;

  /** The chance that a class which was picked stays, and the class that is taken otherwise. */
  private final float[] chances;

  private final int[] alternatives;

  /**
   * @param weights at least one; taken over
   */
  UnigramRange(float[] weights) {
    this.weights = weights;
    this.chances = new float[weights.length];
    this.alternatives = new int[weights.length];
    float sum = 0;
    for (float weight : weights) {
      sum += weight;
    }
    if (!(sum > 0) || Float.isInfinite(sum)) {
      throw TributaryException.invalidArgument(
          "the sum of the weights of %d classes must be positive, got %s", weights.length, sum);
    }
    this.total = sum;
    pair();
  }

  /** Gives each class that has less than the average a partner that has more. */
  private void pair() {
    double sum = 0;
    for (float weight : weights) {
      sum += weight;
    }
    double[] shares = new double[weights.length];
    Deque<Integer> above = new ArrayDeque<>();
    Deque<Integer> below = new ArrayDeque<>();
    for (int i = 0; i < shares.length; i++) {
      shares[i] = weights[i] * (float) shares.length / sum;
      (shares[i] < 1 ? below : above).push(i);
    }
    while (!above.isEmpty() && !below.isEmpty()) {
      int poor = below.pop();
      int rich = above.pop();
      alternatives[poor] = rich;
      chances[poor] = (float) shares[poor];
      shares[rich] -= 1 - shares[poor];
      (shares[rich] < 1 ? below : above).push(rich);
    }
    // All that is left has a share of 1 but for rounding.
    above.addAll(below);
    for (int whole : above) {
      alternatives[whole] = whole;
      chances[whole] = 1;
    }
  }

  @Override
  public long size() {
    return weights.length;
  }

  @Override
  public long draw(WordSource words, int number) {
    float chance = words.nextFloat();
    int picked = words.nextBelow(weights.length);
    return chance < chances[picked] ? picked : alternatives[picked];
  }

  @Override
  public double probability(long value) {
    return weights[(int) value] / total;
  }
}
