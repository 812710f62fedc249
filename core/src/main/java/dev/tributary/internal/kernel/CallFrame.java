package dev.tributary.internal.kernel;

import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.Tensor;

/**
 * The arguments of a step and the places for its results. Arguments are borrowed from the caller
 * for as long as the step runs; a result belongs to the caller once the step has succeeded. Each
 * result has one writer, and the end of the step orders the writes before the caller's reads.
 */
public final class CallFrame {
  private static final CallFrame EMPTY = new CallFrame(new Tensor[0], 0);

  private final Tensor[] arguments;
  private final Tensor[] results;

  public CallFrame(Tensor[] arguments, int resultCount) {
    this.arguments = arguments;
    this.results = new Tensor[resultCount];
  }

  public static CallFrame empty() {
    return EMPTY;
  }

  public Tensor argument(int i) {
    return arguments[i];
  }

  /** Takes over the reference of {@code value}. */
  public void setResult(int i, Tensor value) {
    results[i] = SharedTensors.take(value);
  }

  /** Returns whether result {@code i} was written; a dead value leaves none. */
  public boolean hasResult(int i) {
    return results[i] != null;
  }

  public Tensor result(int i) {
    return results[i];
  }

  public int resultCount() {
    return results.length;
  }

  /** Gives back results that nobody will take. */
  public void releaseResults() {
    for (int i = 0; i < results.length; i++) {
      if (results[i] != null) {
        results[i].close();
        results[i] = null;
      }
    }
  }
}
