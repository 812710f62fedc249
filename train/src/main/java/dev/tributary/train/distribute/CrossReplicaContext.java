package dev.tributary.train.distribute;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The view of code that sees the values of all replicas: the function of a {@link
 * ReplicaContext#mergeCall}. Confined to the call.
 */
public final class CrossReplicaContext {
  private final Strategy strategy;
  private final Ops tf;

  CrossReplicaContext(Strategy strategy, Ops tf) {
    this.strategy = strategy;
    this.tf = tf;
  }

  public Strategy strategy() {
    return strategy;
  }

  /** Adds operations outside of replicas. */
  public Ops tf() {
    return tf;
  }

  /** Returns one value of all replicas, for each of these devices. */
  public List<Output> reduceTo(ReduceOp op, List<Output> values, List<String> devices) {
    return new Reduction(strategy, tf).dense(op, List.of(values), devices).get(0);
  }

  /**
   * Returns gradients of all replicas, summed, for each copy of the variables.
   *
   * @param gradients for each variable the gradients of the replicas; one without a gradient counts
   *     as zero
   */
  public List<List<GradientValue>> sumGradients(List<? extends List<GradientValue>> gradients) {
    return new Reduction(strategy, tf).gradients(gradients);
  }

  /**
   * Runs a part of the program once for each copy of the variables. There variables stand for that
   * copy, and are changed alone.
   *
   * @param update gets the number of the copy, and a scope on its device
   */
  public <R> List<R> update(BiFunction<Integer, Ops, R> update) {
    Distribution distribution = Distribution.of(tf.graph());
    List<R> results = new ArrayList<>();
    for (int i = 0; i < strategy.copies(); i++) {
      int copy = i;
      Ops there = strategy.besideCopy(tf, copy);
      results.add(distribution.updating(copy, () -> update.apply(copy, there)));
    }
    return results;
  }

  /** Returns copies of the value of the first of all replicas on these devices. */
  List<Output> ofFirstReplica(List<Output> values, List<String> devices) {
    if (strategy.numReplicasInSync() > strategy.localReplicas()) {
      return reduceTo(ReduceOp.SUM, withoutOthers(values), devices);
    }
    Output first = values.get(0);
    return devices.stream().map(device -> Devices.on(tf, device).identity(first)).toList();
  }

  /** The values of all replicas but the first one as zeros. */
  private List<Output> withoutOthers(List<Output> values) {
    List<Output> only = new ArrayList<>();
    for (Output value : values) {
      boolean isFirst = strategy.firstReplica() == 0 && only.isEmpty();
      only.add(isFirst ? value : tf.colocatedWith(value.operation()).zerosLike(value));
    }
    return only;
  }
}
