package dev.tributary.train.model;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.train.distribute.PerReplica;
import dev.tributary.train.distribute.ReplicaContext;
import java.util.function.Function;

/** Values that are computed from the variables of all replicas of a strategy together. */
final class AcrossReplicas {
  private AcrossReplicas() {}

  /** Adds the operations of a value outside of replicas, if there are any. */
  static Output value(Ops tf, Function<Ops, Output> program) {
    return ReplicaContext.current(tf.graph())
        .map(
            replica ->
                replica.mergeCall(
                    tf, (cross, all) -> PerReplica.same(all.size(), program.apply(all.first()))))
        .orElseGet(() -> program.apply(tf));
  }
}
