package dev.tributary.train.savedmodel;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;

/**
 * An input or output of a {@link Signature}.
 *
 * @param name the name of the tensor in the graph, such as {@code x:0}
 * @param shape sizes that the model leaves open are unknown
 */
public record TensorInfo(String name, DataType type, Shape shape) {
  /** Returns the type and shape, such as {@code float [?,2]}. */
  @Override
  public String toString() {
    return type.lowerName() + " " + shape;
  }
}
