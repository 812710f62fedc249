package dev.tributary.internal.kernel.random;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.HashSet;
import java.util.Set;

/**
 * Draws classes to train against, and says how often each of them and of the true classes is
 * expected among so many draws.
 */
public final class Candidates implements Kernel {
  /** Words reserved for each drawn class. Part of the numbers' definition. */
  private static final long WORDS_PER_CLASS = 2048;

  private final CandidateRange range;
  private final GuardedPhilox state;
  private final int sampled;
  private final long trueClasses;
  private final boolean unique;

  public Candidates(KernelNode node, CandidateRange range, GuardedPhilox state) {
    this.range = range;
    this.state = state;
    this.sampled = Math.toIntExact(node.attributes().integer("num_sampled"));
    this.trueClasses = node.attributes().integer("num_true");
    this.unique = node.attributes().bool("unique");
    if (unique && sampled > range.size()) {
      throw TributaryException.invalidArgument(
          "Sampler's range is too small: %d different classes of %d", sampled, range.size());
    }
  }

  @Override
  public void compute(KernelContext context) {
    Tensor classes = context.input(0);
    if (classes.rank() != 2 || classes.shape().size(1) != trueClasses) {
      throw TributaryException.invalidArgument(
          "true_classes must be a matrix of num_true = %d columns, got shape %s",
          trueClasses, classes.shape());
    }
    for (long i = 0; i < classes.elementCount(); i++) {
      long value = IndexTensors.at(classes, i);
      if (value < 0 || value >= range.size()) {
        throw TributaryException.invalidArgument(
            "true class %d is out of range [0, %d), got %d", i, range.size(), value);
      }
    }
    Tensor drawn = context.allocateOutput(0, Shape.of(sampled));
    Tensor ofTrue = context.allocateOutput(1, classes.shape());
    Tensor ofDrawn = context.allocateOutput(2, Shape.of(sampled));
    long tries = draw(new WordSource(state.reserveWords(WORDS_PER_CLASS * sampled)), drawn);
    expect(classes, tries, ofTrue);
    expect(drawn, tries, ofDrawn);
    for (long i = 0; i < classes.elementCount(); i++) {
      range.learn(IndexTensors.at(classes, i));
    }
  }

  /** Returns how many draws it took. */
  private long draw(WordSource words, Tensor drawn) {
    Set<Long> used = new HashSet<>();
    long tries = 0;
    for (int i = 0; i < sampled; ) {
      long value = range.draw(words, i);
      tries++;
      if (!unique || used.add(value)) {
        IndexTensors.put(drawn, i++, value);
      }
    }
    return tries;
  }

  private void expect(Tensor classes, long tries, Tensor counts) {
    for (long i = 0; i < classes.elementCount(); i++) {
      double p = range.probability(IndexTensors.at(classes, i));
      // After more tries than draws, the chance that a class is among them.
      double count = tries == sampled ? p * sampled : -Math.expm1(tries * Math.log1p(-p));
      Memory.putFloat(counts.storage().address() + 4 * i, (float) count);
    }
  }
}
