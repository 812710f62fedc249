package dev.tributary.train.hook;

import dev.tributary.session.StepTrace;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/**
 * What a hook gets of a step. Immutable; the values are closed when the hook returns.
 *
 * @param results values of what the hook fetched, in its order
 * @param trace what each node took, if any hook asked for it
 */
public record SessionRunValues(List<Tensor> results, Optional<StepTrace> trace) {
  public SessionRunValues {
    results = List.copyOf(results);
  }
}
