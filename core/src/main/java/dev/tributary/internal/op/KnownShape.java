package dev.tributary.internal.op;

import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * The known shapes of a value that goes into a function or comes out of it.
 *
 * @param shape that of the value
 * @param handle for a resource, the shapes of the tensors that it stands for, if they are known
 */
public record KnownShape(Shape shape, List<Shape> handle) {
  public KnownShape {
    handle = List.copyOf(handle);
  }
}
