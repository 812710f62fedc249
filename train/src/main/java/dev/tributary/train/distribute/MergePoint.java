package dev.tributary.train.distribute;

import java.util.function.BiFunction;

/** The place where the replicas of one run meet. */
interface MergePoint {
  <A, R> R merge(
      ReplicaContext replica,
      A argument,
      BiFunction<CrossReplicaContext, PerReplica<A>, PerReplica<R>> merge);
}
