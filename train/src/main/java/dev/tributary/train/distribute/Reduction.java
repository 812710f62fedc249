package dev.tributary.train.distribute;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reductions of values of all replicas, by the algorithm of a strategy. */
record Reduction(Strategy strategy, Ops tf) {
  /** Returns for each list of values one result for each device. */
  List<List<Output>> dense(ReduceOp op, List<List<Output>> batch, List<String> devices) {
    batch.forEach(this::requireAlike);
    List<List<Output>> sums = checked(strategy.sums(tf, batch, devices), batch, devices);
    return op == ReduceOp.SUM
        ? sums
        : sums.stream().map(all -> all.stream().map(this::mean).toList()).toList();
  }

  /** Returns for each list of gradients their sum for each copy of the variables. */
  List<List<GradientValue>> gradients(List<? extends List<GradientValue>> gradients) {
    List<List<GradientValue>> sums = new ArrayList<>();
    List<List<Output>> dense = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    for (List<GradientValue> all : gradients) {
      List<GradientValue> present =
          all.stream().filter(g -> !(g instanceof GradientValue.None)).toList();
      if (!present.isEmpty() && present.stream().allMatch(Output.class::isInstance)) {
        places.add(sums.size());
        dense.add(present.stream().map(Output.class::cast).toList());
        sums.add(List.of());
      } else {
        sums.add(sparse(present));
      }
    }
    List<List<Output>> reduced = denseSums(dense);
    for (int i = 0; i < places.size(); i++) {
      sums.set(places.get(i), List.copyOf(reduced.get(i)));
    }
    return sums;
  }

  /** Gradients that only some replicas have are summed apart from those that all of them have. */
  private List<List<Output>> denseSums(List<List<Output>> gradients) {
    List<String> devices = strategy.copyDevices();
    int replicas = strategy.localReplicas();
    List<List<Output>> whole = gradients.stream().filter(g -> g.size() == replicas).toList();
    List<List<Output>> reduced = whole.isEmpty() ? List.of() : dense(ReduceOp.SUM, whole, devices);
    List<List<Output>> sums = new ArrayList<>();
    int next = 0;
    for (List<Output> one : gradients) {
      sums.add(
          one.size() == replicas
              ? reduced.get(next++)
              : new ReductionToOneDevice().sum(tf, one, devices));
    }
    return sums;
  }

  /** Joins slices without a look at their indices; the update adds up rows that come twice. */
  private List<GradientValue> sparse(List<GradientValue> present) {
    List<String> devices = strategy.copyDevices();
    if (present.isEmpty()) {
      return Collections.nCopies(devices.size(), GradientValue.none());
    }
    if (!present.stream().allMatch(IndexedSlices.class::isInstance)) {
      throw TributaryException.invalidArgument(
          "the gradients of a variable are sparse in some replicas and dense in others: %s",
          present);
    }
    List<IndexedSlices> slices = present.stream().map(IndexedSlices.class::cast).toList();
    return strategy.joinedSlices(tf, slices, devices);
  }

  static List<GradientValue> joined(Ops tf, List<IndexedSlices> slices, List<String> devices) {
    List<GradientValue> joined = new ArrayList<>();
    for (String device : devices) {
      Ops there = Devices.on(tf, device);
      Output axis = there.constant(0);
      joined.add(
          new IndexedSlices(
              there.array.concat(axis, slices.stream().map(IndexedSlices::values).toList()),
              there.array.concat(axis, slices.stream().map(IndexedSlices::indices).toList()),
              slices.get(0).denseShape()));
    }
    return joined;
  }

  private Output mean(Output sum) {
    Ops beside = tf.colocatedWith(sum.operation());
    return beside.div(sum, beside.constant(sum.type(), strategy.numReplicasInSync()));
  }

  private void requireAlike(List<Output> values) {
    Output first = values.get(0);
    for (int i = 1; i < values.size(); i++) {
      Output value = values.get(i);
      if (value.type() != first.type() || !value.shape().isCompatibleWith(first.shape())) {
        throw TributaryException.invalidArgument(
            "values of replicas can be reduced if they have one type and shape; replica 0 has %s,"
                + " replica %d has %s",
            first, i, value);
      }
    }
  }

  private List<List<Output>> checked(
      List<List<Output>> sums, List<List<Output>> batch, List<String> devices) {
    boolean complete =
        sums.size() == batch.size() && sums.stream().allMatch(all -> all.size() == devices.size());
    if (!complete) {
      throw TributaryException.invalidArgument(
          "the cross-device ops of %s returned %s for %d values and the destinations %s: they must"
              + " return a sum for each destination",
          strategy, sums, batch.size(), devices);
    }
    return sums;
  }
}
