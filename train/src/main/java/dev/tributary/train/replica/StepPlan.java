package dev.tributary.train.replica;

import dev.tributary.tensor.Tensor;

/**
 * What the chief feeds to a step of the model. Owned by whoever asked for it.
 *
 * @param required how many gradients the step waits for
 * @param tokens how many tokens it gives out
 */
record StepPlan(Tensor required, Tensor tokens) implements AutoCloseable {
  @Override
  public void close() {
    required.close();
    tokens.close();
  }
}
