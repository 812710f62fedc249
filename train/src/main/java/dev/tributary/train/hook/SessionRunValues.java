package dev.tributary.train.hook;

import dev.tributary.tensor.Tensor;
import dev.tributary.trace.StepTrace;
import java.util.List;
import java.util.Optional;

/**
 * Results of a step for a hook. Immutable; the values are closed when the hook returns.
 *
 * @param results the values of the hook's fetches, in its order
 * @param trace the times of the nodes, if any hook requested a trace
 */
public record SessionRunValues(List<Tensor> results, Optional<StepTrace> trace) {
  public SessionRunValues {
    results = List.copyOf(results);
  }
}
