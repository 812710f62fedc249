package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.SharedState;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Counts the workers that have left. One that dies is not known to have left. */
final class DepartureCount implements Membership {
  private final Ops beside;
  private final Replicas replicas;
  private final Variable departed;
  private final Output tokens;

  /**
   * @param beside where the global step is
   */
  DepartureCount(Ops beside, Replicas replicas) {
    this.beside = beside;
    this.replicas = replicas;
    this.departed = SharedState.scalar(beside, "sync_rep_departed", DataType.INT32);
    this.tokens =
        beside
            .withName("tokens")
            .array
            .placeholderWithDefault(beside.constant(replicas.tokens(0)), Shape.scalar());
  }

  @Override
  public List<Variable> variables() {
    return List.of(departed);
  }

  @Override
  public Operation chiefInit() {
    return departed.initializer();
  }

  @Override
  public List<Operation> join(Ops tf) {
    return List.of();
  }

  @Override
  public Operation leave() {
    return departed.in(beside).assignAdd(beside.constant(1));
  }

  @Override
  public List<Operation> bring(Ops after, Output localStep) {
    return List.of();
  }

  @Override
  public Optional<Beat> beat() {
    return Optional.empty();
  }

  @Override
  public Output tokens() {
    return tokens;
  }

  @Override
  public Operation give(Ops tf, TokenQueues queues, Output step) {
    return queues.give(tf, step, tokens);
  }

  @Override
  public RosterOperations roster(
      Variable globalStep,
      List<Output> counts,
      Supplier<List<Operation>> stepsSet,
      TokenQueues queues) {
    return new DepartureOperations(replicas, departed.value(), counts);
  }
}
