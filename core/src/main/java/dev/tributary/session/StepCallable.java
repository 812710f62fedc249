package dev.tributary.session;

import dev.tributary.tensor.Tensor;

/**
 * A step with fixed feeds and fetches, made ready once and run any number of times: for loops in
 * which the time to look things up counts. Any number of threads may run it at once.
 *
 * <pre>{@code
 * try (StepCallable train = session.prepare(List.of(x, y), List.of(loss), List.of(update))) {
 *   for (Batch batch : batches) {
 *     try (StepResult result = train.run(batch.x(), batch.y())) { ... }
 *   }
 * }
 * }</pre>
 */
public interface StepCallable extends AutoCloseable {
  /** Runs the step with one value for each feed, in the order in which they were named. */
  default StepResult run(Tensor... feeds) {
    return run(RunOptions.defaults(), feeds);
  }

  StepResult run(RunOptions options, Tensor... feeds);

  /** Later calls fail with CANCELLED; steps that run go on. */
  @Override
  void close();
}
