package dev.tributary.train.variable;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Decides into how many parts a variable is cut. */
@FunctionalInterface
public interface Partitioner {
  /** The number of parts along each dimension; at most one is above 1. */
  List<Integer> partitions(Shape shape, DataType type);
}
