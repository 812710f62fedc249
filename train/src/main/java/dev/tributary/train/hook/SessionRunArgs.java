package dev.tributary.train.hook;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.session.RunOptions;
import dev.tributary.tensor.Tensor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A requested step, or the additions of a hook to one. Immutable.
 *
 * @param fetches the outputs whose values are returned, in this order
 * @param feeds values that replace computed ones
 * @param targets operations to run for their effect
 * @param options settings of the step; those of the caller and all hooks are merged
 */
public record SessionRunArgs(
    List<Output> fetches, Map<Output, Tensor> feeds, List<Operation> targets, RunOptions options) {
  private static final SessionRunArgs NONE =
      new SessionRunArgs(List.of(), Map.of(), List.of(), RunOptions.defaults());

  public SessionRunArgs {
    fetches = List.copyOf(fetches);
    feeds = Map.copyOf(feeds);
    targets = List.copyOf(targets);
  }

  public static SessionRunArgs none() {
    return NONE;
  }

  public static SessionRunArgs fetching(Operand... outputs) {
    return none().withFetches(List.of(outputs));
  }

  public static SessionRunArgs running(Operation... operations) {
    return none().withTargets(List.of(operations));
  }

  public SessionRunArgs withFetches(List<? extends Operand> outputs) {
    return new SessionRunArgs(Operand.asOutputs(outputs), feeds, targets, options);
  }

  public SessionRunArgs withFeeds(Map<? extends Operand, Tensor> values) {
    Map<Output, Tensor> byOutput = new HashMap<>();
    values.forEach((operand, value) -> byOutput.put(operand.asOutput(), value));
    return new SessionRunArgs(fetches, byOutput, targets, options);
  }

  public SessionRunArgs withTargets(List<Operation> operations) {
    return new SessionRunArgs(fetches, feeds, operations, options);
  }

  public SessionRunArgs withOptions(RunOptions newOptions) {
    return new SessionRunArgs(fetches, feeds, targets, newOptions);
  }
}
