package dev.tributary.ops;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;

/**
 * Name, type and shape of a variable, without its initial value.
 *
 * @param name below the scope in which it is made
 * @param collections the graph's collections that it joins
 * @param slice the part of a partitioned variable that it is, if it is one
 */
public record VariableDefinition(
    String name,
    DataType type,
    Shape shape,
    List<String> collections,
    Optional<VariableSlice> slice) {
  public VariableDefinition {
    collections = List.copyOf(collections);
  }

  public static VariableDefinition of(
      String name, DataType type, Shape shape, List<String> collections) {
    return new VariableDefinition(name, type, shape, collections, Optional.empty());
  }
}
