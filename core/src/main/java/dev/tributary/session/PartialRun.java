package dev.tributary.session;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;

/**
 * A step that is fed and fetched piece by piece. It ends when every feed and fetch that {@link
 * Session#partialRun} named has come once. Confined to one thread.
 *
 * <pre>{@code
 * PartialRun run = session.partialRun(List.of(a, b), List.of(sum, product), List.of());
 * try (StepResult first = run.run(Feeds.of(a, 1f), List.of(sum))) { ... }
 * try (StepResult second = run.run(Feeds.of(b, 2f), List.of(product))) { ... }
 * }</pre>
 */
public interface PartialRun {
  /**
   * Feeds some operands and waits for some fetches. A fetch must depend only on operands that have
   * been fed.
   */
  default StepResult run(Feeds feeds, List<? extends Operand> fetches) {
    List<Output> outputs = Operand.asOutputs(fetches);
    return feeds.withTensors(tensors -> run(tensors, outputs));
  }

  /** Does the same with tensors, which stay the caller's. */
  StepResult run(Map<Output, Tensor> feeds, List<Output> fetches);
}
