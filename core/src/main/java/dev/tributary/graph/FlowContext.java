package dev.tributary.graph;

import java.util.List;
import java.util.Optional;

/**
 * The branch of a cond or the body of a while loop, while operations are added to it. Values from
 * outside must enter it through a Switch or an Enter, which {@link #capture} makes. The context of
 * an operation is where its outputs can be used: an Enter belongs to the loop, an Exit to what is
 * around it.
 */
public interface FlowContext {
  /** The context around this one. */
  Optional<FlowContext> outer();

  /**
   * The value as seen inside this context; values made inside come back as they are.
   *
   * @param consumer the name of the operation that wants it, after which the operations made here
   *     are called
   */
  Output capture(Output value, String consumer);

  /**
   * Returns the operation to wait for inside, in place of {@code operation}, which may lie outside.
   */
  Operation captureControl(Operation operation, String consumer);

  /**
   * Returns the operation to wait for so that an operation runs only when this context does; empty
   * if its edges ensure that already.
   */
  Optional<Operation> pivotFor(List<Output> inputs, List<Operation> controlInputs);

  /** Returns whether an operation belongs to this context or to one inside it. */
  default boolean encloses(Operation operation) {
    Optional<FlowContext> context = operation.flowContext();
    while (context.isPresent() && context.get() != this) {
      context = context.get().outer();
    }
    return context.isPresent();
  }
}
