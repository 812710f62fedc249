package dev.tributary.internal.explain;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.OptionalLong;

/** A variable that a task would hold. */
public record PlacedVariable(String name, DataType type, Shape shape) {
  /** Its size; empty if the graph does not tell. */
  public OptionalLong bytes() {
    return Sizes.bytes(type, shape);
  }
}
