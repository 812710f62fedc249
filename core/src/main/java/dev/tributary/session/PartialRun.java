package dev.tributary.session;

import dev.tributary.graph.Output;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;

/**
 * A step that is fed and fetched piece by piece. It ends when all feeds and fetches that were named
 * at its beginning have come, each once. Confined to one thread.
 *
 * <pre>{@code
 * PartialRun run = session.partialRun(List.of(a, b), List.of(sum, product), List.of());
 * try (StepResult first = run.run(Map.of(a, one), List.of(sum))) { ... }
 * try (StepResult second = run.run(Map.of(b, two), List.of(product))) { ... }
 * }</pre>
 */
public interface PartialRun {
  /** Feeds some, and waits for some that depend on nothing unfed. */
  StepResult run(Map<Output, Tensor> feeds, List<Output> fetches);
}
