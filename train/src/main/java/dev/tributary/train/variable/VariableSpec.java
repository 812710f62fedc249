package dev.tributary.train.variable;

import dev.tributary.ops.VariableAggregation;
import dev.tributary.ops.VariableSynchronization;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A variable that a scope is asked for. Immutable.
 *
 * <pre>{@code
 * scope.getVariable(VariableSpec.of("moving_mean", Shape.of(32)).withInitializer(Initializers.zeros()).withoutTraining());
 * }</pre>
 *
 * @param initializer empty for the scope's
 * @param local whether each process has its own, which no checkpoint holds
 * @param collections further collections to join
 * @param synchronization the time at which copies of it are brought together, if a distribution
 *     strategy makes several
 * @param aggregation the way in which values that replicas assign become one
 */
public record VariableSpec(
    String name,
    Shape shape,
    DataType type,
    Optional<Initializer> initializer,
    boolean trainable,
    boolean local,
    List<String> collections,
    VariableSynchronization synchronization,
    VariableAggregation aggregation) {
  public VariableSpec {
    collections = List.copyOf(collections);
  }

  /** A trainable variable of floats, shared by all workers. */
  public static VariableSpec of(String name, Shape shape) {
    return new VariableSpec(
        name,
        shape,
        DataType.FLOAT,
        Optional.empty(),
        true,
        false,
        List.of(),
        VariableSynchronization.AUTO,
        VariableAggregation.NONE);
  }

  public VariableSpec withType(DataType newType) {
    return new VariableSpec(
        name,
        shape,
        newType,
        initializer,
        trainable,
        local,
        collections,
        synchronization,
        aggregation);
  }

  public VariableSpec withInitializer(Initializer newInitializer) {
    return new VariableSpec(
        name,
        shape,
        type,
        Optional.of(newInitializer),
        trainable,
        local,
        collections,
        synchronization,
        aggregation);
  }

  /** Optimizers leave it alone. */
  public VariableSpec withoutTraining() {
    return new VariableSpec(
        name, shape, type, initializer, false, local, collections, synchronization, aggregation);
  }

  /** One for each process; optimizers leave it alone. */
  public VariableSpec withLocal() {
    return new VariableSpec(
        name, shape, type, initializer, false, true, collections, synchronization, aggregation);
  }

  /** Joins a collection as well. */
  public VariableSpec withCollection(String collection) {
    List<String> more = new ArrayList<>(collections);
    more.add(collection);
    return new VariableSpec(
        name, shape, type, initializer, trainable, local, more, synchronization, aggregation);
  }

  /** Sets the rules for the copies that a distribution strategy makes. */
  public VariableSpec withCopies(
      VariableSynchronization newSynchronization, VariableAggregation newAggregation) {
    return new VariableSpec(
        name,
        shape,
        type,
        initializer,
        trainable,
        local,
        collections,
        newSynchronization,
        newAggregation);
  }

  /** All collections that the variable joins. */
  List<String> allCollections() {
    List<String> all = new ArrayList<>();
    all.add(local ? GraphKeys.LOCAL_VARIABLES : GraphKeys.GLOBAL_VARIABLES);
    if (trainable) {
      all.add(GraphKeys.TRAINABLE_VARIABLES);
    }
    all.addAll(collections);
    return all;
  }
}
