package dev.tributary.ops;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * Options of a queue. Immutable.
 *
 * @param capacity the most elements it may hold; -1 for any number
 * @param types the element type of each component
 * @param shapes the shape of each component; empty if elements may have any, and then there are no
 *     batches
 * @param sharedName the name under which sessions and tasks share the queue; empty for the name of
 *     its operation
 */
public record QueueOptions(
    int capacity, List<DataType> types, List<Shape> shapes, String sharedName) {
  public QueueOptions {
    types = List.copyOf(types);
    shapes = List.copyOf(shapes);
  }

  public static QueueOptions of(int capacity, DataType... types) {
    return new QueueOptions(capacity, List.of(types), List.of(), "");
  }

  public QueueOptions withShapes(Shape... componentShapes) {
    return new QueueOptions(capacity, types, List.of(componentShapes), sharedName);
  }

  public QueueOptions withSharedName(String name) {
    return new QueueOptions(capacity, types, shapes, name);
  }
}
