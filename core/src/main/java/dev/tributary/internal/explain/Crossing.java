package dev.tributary.internal.explain;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.OptionalLong;

/**
 * A tensor that goes from one task to another, once a step or once an iteration of its loop.
 *
 * @param tensor {@code node:index}; {@code ^node} for a control edge, which carries nothing
 * @param from the task that sends it
 * @param to the task that receives it
 */
public record Crossing(String tensor, String from, String to, DataType type, Shape shape) {
  /** Its size; empty if the graph does not tell. */
  public OptionalLong bytes() {
    return Sizes.bytes(type, shape);
  }
}
