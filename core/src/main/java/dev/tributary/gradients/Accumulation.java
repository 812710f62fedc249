package dev.tributary.gradients;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.gradient.Dense;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shares of gradient that have flowed to each output so far, and their sums. Confined to one
 * differentiation.
 */
final class Accumulation {
  private final Scope scope;
  private final Map<Output, List<GradientValue>> shares = new HashMap<>();

  Accumulation(Scope scope) {
    this.scope = scope;
  }

  void add(Output output, GradientValue share) {
    if (!(share instanceof GradientValue.None)) {
      shares.computeIfAbsent(output, key -> new ArrayList<>()).add(share);
    }
  }

  /**
   * The sum of all shares: slices if all are, none if there are none. The sum then counts as the
   * one share.
   */
  GradientValue sum(Output output) {
    List<GradientValue> all = shares.getOrDefault(output, List.of());
    if (all.isEmpty()) {
      return GradientValue.none();
    }
    if (all.size() > 1) {
      GradientValue sum =
          all.stream().allMatch(IndexedSlices.class::isInstance) ? concatenate(all) : addUp(all);
      all.clear();
      all.add(sum);
    }
    return all.get(0);
  }

  private Output addUp(List<GradientValue> all) {
    List<Output> dense = all.stream().map(value -> Dense.of(scope, value)).toList();
    return scope.operation("AddN").inputList(dense).buildOutput();
  }

  private IndexedSlices concatenate(List<GradientValue> all) {
    List<Output> values = new ArrayList<>();
    List<Output> indices = new ArrayList<>();
    for (GradientValue value : all) {
      values.add(((IndexedSlices) value).values());
      indices.add(((IndexedSlices) value).indices());
    }
    Output axis = Dense.constant(scope, Tensor.scalar(0));
    return new IndexedSlices(
        scope.operation("ConcatV2").inputList(values).input(axis).buildOutput(),
        scope.operation("ConcatV2").inputList(indices).input(axis).buildOutput(),
        ((IndexedSlices) all.get(0)).denseShape());
  }
}
