package dev.tributary.gradients;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import java.util.List;
import java.util.function.Predicate;

/**
 * A piece of a graph that is differentiated in one go: an operation, a whole cond, or a whole while
 * loop.
 */
interface Part {
  List<Output> inputs();

  List<Output> outputs();

  /**
   * Adds the gradient of this part.
   *
   * @param scope the scope of the gradient's operations
   * @param flows the gradient of each output so far: a dense value, slices or none
   * @param wanted accepts the inputs whose gradient is needed
   * @return one value for each input, or an empty list if nothing flows through
   */
  List<? extends GradientValue> differentiate(
      Scope scope, List<GradientValue> flows, Predicate<Output> wanted);
}
