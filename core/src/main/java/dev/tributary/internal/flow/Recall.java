package dev.tributary.internal.flow;

import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import java.util.Optional;

/** Gives a context that computes gradients the values of the context it is the gradient of. */
@FunctionalInterface
public interface Recall {
  /**
   * The value as seen {@code inside}, if it is one of the forward context's.
   *
   * @param inside where operations that bring the value back are made
   */
  Optional<Output> recall(Output value, Scope inside, String consumer);

  /** For contexts that are not the gradient of another. */
  static Recall nothing() {
    return (value, inside, consumer) -> Optional.empty();
  }
}
