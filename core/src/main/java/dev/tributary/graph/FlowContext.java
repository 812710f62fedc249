package dev.tributary.graph;

/**
 * The branch of a cond or the body of a while loop, while it is being built. Values from outside must enter it through a
 * Switch or an Enter, which {@link #capture} makes.
 */
public interface FlowContext {
  /** The value as seen inside this context; values made inside come back as they are. */
  Output capture(Output value);

  /** What an operation without inputs must wait for, so that it runs only when this context does. */
  Operation pivot();
}
