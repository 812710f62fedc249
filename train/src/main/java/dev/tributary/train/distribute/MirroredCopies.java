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
import java.util.Collections;
import java.util.List;

/** Copies that are equal at all times, since each change is made to all of them. */
record MirroredCopies(
    Distribution distribution,
    Strategy strategy,
    List<Variable> all,
    VariableAggregation aggregation)
    implements VariableCopies {
  MirroredCopies {
    all = List.copyOf(all);
  }

  @Override
  public VariableSynchronization synchronization() {
    return VariableSynchronization.ON_WRITE;
  }

  @Override
  public Variable present() {
    distribution.requireOwn(all.get(0));
    if (all.size() == 1) {
      return all.get(0);
    }
    return all.get(
        distribution
            .updated()
            .orElseGet(() -> distribution.replica().map(ReplicaContext::replicaId).orElse(0)));
  }

  @Override
  public Output value() {
    return present().value();
  }

  @Override
  public Output read(Ops tf) {
    return present().in(tf).read();
  }

  @Override
  public Operation change(Ops tf, Change change, Operand value) {
    if (distribution.updated().isPresent()) {
      return Changes.apply(present().in(tf), change, value);
    }
    return distribution
        .replica()
        .map(replica -> changeByReplicas(replica, tf, change, value))
        .orElseGet(() -> changeAll(tf, change, value));
  }

  private Operation changeByReplicas(ReplicaContext replica, Ops tf, Change change, Operand value) {
    if (aggregation == VariableAggregation.NONE && strategy.numReplicasInSync() > 1) {
      throw TributaryException.failedPrecondition(
          "replica %d assigns variable '%s' without an aggregation, and there are %d replicas:"
              + " create it with an aggregation SUM, MEAN or ONLY_FIRST_REPLICA, or assign it"
              + " outside of the replicas",
          replica.replicaId(), all.get(0).name(), strategy.numReplicasInSync());
    }
    // The copy of the value waits for the control dependencies of the replica.
    Output present = tf.identity(value);
    return replica.mergeCall(
        present,
        (cross, values) ->
            PerReplica.same(values.size(), changeAll(cross, change, values.values())));
  }

  private Operation changeAll(CrossReplicaContext cross, Change change, List<Output> values) {
    if (strategy.numReplicasInSync() == 1) {
      return changeAll(cross.tf(), change, values.get(0));
    }
    List<String> devices = strategy.copyDevices();
    List<Output> reduced =
        switch (aggregation) {
          case SUM -> cross.reduceTo(ReduceOp.SUM, values, devices);
          case MEAN -> cross.reduceTo(ReduceOp.MEAN, values, devices);
          case NONE, ONLY_FIRST_REPLICA -> cross.ofFirstReplica(values, devices);
        };
    Ops after =
        cross
            .tf()
            .withControlDependencies(
                values.stream().map(Output::operation).toArray(Operation[]::new));
    return changed(after, change, reduced);
  }

  private Operation changeAll(Ops tf, Change change, Operand value) {
    return changed(tf, change, Collections.nCopies(all.size(), value.asOutput()));
  }

  private Operation changed(Ops tf, Change change, List<Output> values) {
    List<Operation> changes = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Ops beside = tf.colocatedWith(all.get(i).handle().operation());
      changes.add(Changes.apply(all.get(i).in(beside), change, values.get(i)));
    }
    return changes.size() == 1 ? changes.get(0) : tf.group(changes);
  }
}
