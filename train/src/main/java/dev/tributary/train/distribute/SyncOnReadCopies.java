package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableAggregation;
import dev.tributary.ops.VariableCopies;
import dev.tributary.ops.VariableSynchronization;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Copies that replicas change independently. Outside of replicas they are one value: their sum or
 * mean, or the first copy.
 */
record SyncOnReadCopies(
    Distribution distribution,
    Strategy strategy,
    List<Variable> all,
    VariableAggregation aggregation)
    implements VariableCopies {
  SyncOnReadCopies {
    all = List.copyOf(all);
  }

  @Override
  public VariableSynchronization synchronization() {
    return VariableSynchronization.ON_READ;
  }

  @Override
  public Variable present() {
    distribution.requireOwn(all.get(0));
    return all.get(distribution.replica().map(ReplicaContext::replicaId).orElse(0));
  }

  @Override
  public Output value() {
    return distribution.replica().isPresent()
        ? present().value()
        : aggregated(distribution.root(), Variable::value);
  }

  @Override
  public Output read(Ops tf) {
    return distribution.replica().isPresent()
        ? present().in(tf).read()
        : aggregated(tf, copy -> copy.in(beside(tf, copy)).read());
  }

  private Output aggregated(Ops tf, Function<Variable, Output> read) {
    if (aggregation == VariableAggregation.NONE && all.size() > 1) {
      throw TributaryException.failedPrecondition(
          "variable '%s' has a value of its own in each replica and no aggregation: read it in a"
              + " replica, or create it with an aggregation",
          all.get(0).name());
    }
    List<Output> values = all.stream().map(read).toList();
    CrossReplicaContext cross = new CrossReplicaContext(strategy, tf);
    List<String> first = strategy.replicaDevices().subList(0, 1);
    return switch (aggregation) {
      case SUM -> cross.reduceTo(ReduceOp.SUM, values, first).get(0);
      case MEAN -> cross.reduceTo(ReduceOp.MEAN, values, first).get(0);
      case NONE, ONLY_FIRST_REPLICA -> values.get(0);
    };
  }

  @Override
  public Operation change(Ops tf, Change change, Operand value) {
    if (distribution.replica().isPresent()) {
      return Changes.apply(present().in(tf), change, value);
    }
    if (aggregation == VariableAggregation.SUM && change != Change.ASSIGN) {
      throw TributaryException.failedPrecondition(
          "variable '%s' is the sum of its copies, to which nothing can be added outside of the"
              + " replicas: change it in a replica, or assign it",
          all.get(0).name());
    }
    // A sum that is assigned goes to the first copy as a whole, since shares of it would be
    // rounded.
    UnaryOperator<Operand> rest =
        aggregation == VariableAggregation.SUM
            ? given -> beside(tf, all.get(0)).zerosLike(given)
            : given -> given;
    List<Operation> changes = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Variable copy = all.get(i);
      Operand own = i == 0 ? value : rest.apply(value);
      changes.add(Changes.apply(copy.in(beside(tf, copy)), change, own));
    }
    return changes.size() == 1 ? changes.get(0) : tf.group(changes);
  }

  private static Ops beside(Ops tf, Variable copy) {
    return tf.colocatedWith(copy.handle().operation());
  }
}
