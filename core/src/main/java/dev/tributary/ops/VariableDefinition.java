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
 * @param synchronization the time at which copies of it are brought together, if it has several
 * @param aggregation the way in which values of several replicas become one
 */
public record VariableDefinition(
    String name,
    DataType type,
    Shape shape,
    List<String> collections,
    Optional<VariableSlice> slice,
    VariableSynchronization synchronization,
    VariableAggregation aggregation) {
  public VariableDefinition {
    collections = List.copyOf(collections);
  }

  /** A definition with the rules for copies that variables have by default. */
  public VariableDefinition(
      String name,
      DataType type,
      Shape shape,
      List<String> collections,
      Optional<VariableSlice> slice) {
    this(
        name,
        type,
        shape,
        collections,
        slice,
        VariableSynchronization.AUTO,
        VariableAggregation.NONE);
  }

  public static VariableDefinition of(
      String name, DataType type, Shape shape, List<String> collections) {
    return new VariableDefinition(name, type, shape, collections, Optional.empty());
  }

  public VariableDefinition withName(String newName) {
    return new VariableDefinition(
        newName, type, shape, collections, slice, synchronization, aggregation);
  }

  /** Returns the definition with rules for the copies that a distribution strategy makes. */
  public VariableDefinition withCopies(
      VariableSynchronization newSynchronization, VariableAggregation newAggregation) {
    return new VariableDefinition(
        name, type, shape, collections, slice, newSynchronization, newAggregation);
  }
}
