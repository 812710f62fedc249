package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.train.variable.VariableScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The view of the function that a strategy runs for one replica: TensorFlow's context of that name.
 * Confined to one call of the function.
 *
 * <pre>{@code
 * strategy.run(tf, input.next(), (replica, batch) -> {
 *   Output logits = Dense.of(10).apply(replica.in(model).open("net"), batch.get("image"));
 *   ...
 * });
 * }</pre>
 */
public final class ReplicaContext {
  private final Strategy strategy;
  private final Ops tf;
  private final int replicaId;
  private final Trace trace;
  private final MergePoint mergePoint;

  ReplicaContext(Strategy strategy, Ops tf, int replicaId, Trace trace, MergePoint mergePoint) {
    this.strategy = strategy;
    this.tf = tf;
    this.replicaId = replicaId;
    this.trace = trace;
    this.mergePoint = mergePoint;
  }

  /** Returns the replica whose part of a graph is being built, if one is. */
  public static Optional<ReplicaContext> current(Graph graph) {
    return Distribution.of(graph).replica();
  }

  /** Adds operations of this replica: on its device and under its names. */
  public Ops tf() {
    return tf;
  }

  /** Returns a scope of variables, with the operations of this replica. */
  public VariableScope in(VariableScope model) {
    return model.withOps(tf);
  }

  /** Returns the number of this replica among those of this process. */
  public int replicaId() {
    return replicaId;
  }

  /** Returns the number of this replica among those of all processes. */
  public int replicaIdInSyncGroup() {
    return strategy.firstReplica() + replicaId;
  }

  public int numReplicasInSync() {
    return strategy.numReplicasInSync();
  }

  public Strategy strategy() {
    return strategy;
  }

  /** Returns this replica's part of a value. */
  public <T> T local(PerReplica<T> value) {
    return value.get(replicaId);
  }

  /** Returns one value of all replicas, on this replica's device. */
  public Output allReduce(ReduceOp op, Operand value) {
    return allReduce(op, List.of(value)).get(0);
  }

  /**
   * Returns for each value one of all replicas, on this replica's device. Optimizers differentiate
   * through it.
   */
  public List<Output> allReduce(ReduceOp op, List<? extends Operand> values) {
    List<Output> own = Operand.asOutputs(values);
    own.forEach(this::requireOutsideOfLoops);
    trace.connect();
    return mergeCall(
        own,
        (cross, all) -> {
          requireSameCount(all);
          List<List<Output>> batch = new ArrayList<>();
          for (int i = 0; i < own.size(); i++) {
            int place = i;
            batch.add(all.values().stream().map(one -> one.get(place)).toList());
          }
          return perReplica(
              new Reduction(strategy, cross.tf()).dense(op, batch, strategy.replicaDevices()));
        });
  }

  /** Replicas could not wait for each other there: each decides for itself how often it runs. */
  private void requireOutsideOfLoops(Output value) {
    if (value.operation().flowContext().isPresent() || value.graph() != tf.graph()) {
      throw TributaryException.failedPrecondition(
          "replica %d reduces %s, which is made in a cond, a loop or a function: reduce values"
              + " outside of these",
          replicaId, value);
    }
  }

  private void requireSameCount(PerReplica<List<Output>> all) {
    for (int i = 1; i < all.size(); i++) {
      if (all.get(i).size() != all.first().size()) {
        throw TributaryException.invalidArgument(
            "replica 0 reduces %d values, replica %d reduces %d: all replicas must reduce as many",
            all.first().size(), i, all.get(i).size());
      }
    }
  }

  private PerReplica<List<Output>> perReplica(List<List<Output>> byValue) {
    List<List<Output>> byReplica = new ArrayList<>();
    for (int i = 0; i < strategy.localReplicas(); i++) {
      int replica = i;
      byReplica.add(byValue.stream().map(all -> all.get(replica)).toList());
    }
    return PerReplica.of(byReplica);
  }

  /**
   * Waits until all replicas are at this call, calls the function of the first replica once with
   * the arguments of all, outside of replicas, and returns this replica's part of its result. All
   * replicas must make the same merge calls, none of them in a cond, a loop or a function.
   */
  public <A, R> R mergeCall(
      A argument, BiFunction<CrossReplicaContext, PerReplica<A>, PerReplica<R>> merge) {
    if (tf.scope().flowContext().isPresent()) {
      throw TributaryException.failedPrecondition(
          "replica %d makes a merge call in a cond or loop: make it outside", replicaId);
    }
    return mergePoint.merge(this, argument, merge);
  }

  /**
   * Returns whether values flow between the replicas, so that their losses depend on each other.
   */
  public boolean isConnected() {
    return trace.isConnected();
  }

  Trace trace() {
    return trace;
  }

  @Override
  public String toString() {
    return "replica " + replicaId + " of " + strategy;
  }
}
