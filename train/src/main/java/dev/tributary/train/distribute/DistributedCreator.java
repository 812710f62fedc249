package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableCopies;
import dev.tributary.ops.VariableCreator;
import dev.tributary.ops.VariableDefinition;
import dev.tributary.ops.VariableSynchronization;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Makes the variables of a strategy: several copies, or one that all replicas use. */
final class DistributedCreator implements VariableCreator {
  private final Distribution distribution;
  private final Strategy strategy;

  DistributedCreator(Distribution distribution, Strategy strategy) {
    this.distribution = distribution;
    this.strategy = strategy;
  }

  @Override
  public Variable create(
      Ops tf, VariableDefinition definition, Function<Ops, Output> initialValue) {
    Optional<ReplicaContext> replica = distribution.replica();
    if (replica.isEmpty()) {
      return make(tf, definition, initialValue);
    }
    Variable variable =
        replica
            .get()
            .trace()
            .sameForAll(
                replica.get().replicaId(),
                "variable '" + definition.name() + "'",
                () -> make(tf, definition, initialValue));
    if (variable.type() != definition.type()
        || !variable.shape().isCompatibleWith(definition.shape())) {
      throw TributaryException.invalidArgument(
          "replica %d makes variable '%s' as %s %s, replica 0 as %s: all replicas must make the"
              + " same variables",
          replica.get().replicaId(),
          definition.name(),
          definition.type().lowerName(),
          definition.shape(),
          variable);
    }
    return variable;
  }

  private Variable make(Ops tf, VariableDefinition definition, Function<Ops, Output> initialValue) {
    boolean onRead = definition.synchronization() == VariableSynchronization.ON_READ;
    int count = onRead ? strategy.localReplicas() : strategy.copies();
    List<Variable> all = new ArrayList<>();
    // A variable of one process has its device already.
    boolean local = definition.collections().contains(Variable.LOCAL_VARIABLES);
    Ops place = local ? tf : strategy.placedForCreation(tf);
    Function<Ops, Output> first =
        local ? initialValue : beside -> strategy.initialValue(beside, definition, initialValue);
    all.add(Variable.plain(place, definition, first));
    for (int i = 1; i < count; i++) {
      all.add(copy(i, definition, all.get(0)));
    }
    all.forEach(one -> distribution.own(one, strategy));
    VariableCopies copies =
        onRead
            ? new SyncOnReadCopies(distribution, strategy, all, definition.aggregation())
            : new MirroredCopies(distribution, strategy, all, definition.aggregation());
    return Variable.distributed(copies, definition.collections());
  }

  /**
   * Makes a further copy. The initializer of the first copy waits for those of the others, so that
   * programs and files know one initializer of the variable.
   */
  private Variable copy(int i, VariableDefinition definition, Variable first) {
    Graph graph = first.handle().graph();
    Ops beside = strategy.onReplica(new Ops(graph.scope()), i);
    Variable copy =
        Variable.plain(
            beside,
            definition.withName(first.name() + "/replica_" + i),
            there -> there.identity(first.initialValue()));
    graph.addControlEdge(copy.initializer(), first.initializer());
    return copy;
  }

  @Override
  public boolean repeats() {
    return distribution.replica().filter(replica -> replica.replicaId() > 0).isPresent();
  }

  @Override
  public String scopeName(String wanted, Supplier<String> unused) {
    Optional<ReplicaContext> replica = distribution.replica();
    return replica.isEmpty()
        ? unused.get()
        : replica
            .get()
            .trace()
            .sameForAll(replica.get().replicaId(), "scope '" + wanted + "'", unused);
  }

  @Override
  public void requireChangeable(Variable variable) {
    if (distribution.replica().isPresent() && !distribution.owns(variable)) {
      throw TributaryException.failedPrecondition(
          "a replica of %s cannot change variable '%s', which was created outside of the scope of"
              + " the strategy: create it in a strategy.scope(..), so that each replica has it",
          strategy, variable.name());
    }
  }
}
