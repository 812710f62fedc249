package dev.tributary.gradients;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The shares of gradient that have flowed to each output so far, and their sums. Confined to one differentiation. */
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

  /** The sum of all shares: slices if all are, none if there are none. The sum then counts as the one share. */
  GradientValue sum(Output output) {
    List<GradientValue> all = shares.getOrDefault(output, List.of());
    if (all.isEmpty()) {
      return GradientValue.none();
    }
    if (all.size() > 1) {
      GradientValue sum = all.stream().allMatch(IndexedSlices.class::isInstance) ? concatenate(all) : addUp(all);
      all.clear();
      all.add(sum);
    }
    return all.get(0);
  }

  /** A gradient as one dense tensor: slices added into zeros, and zeros in place of none, if the type has a gradient at all. */
  GradientValue dense(GradientValue value, Output output) {
    if (value instanceof GradientValue.None) {
      return output.type().isFloating() ? scope.operation("ZerosLike").input(output).buildOutput() : value;
    }
    return dense(value);
  }

  private Output dense(GradientValue value) {
    if (value instanceof Output) {
      return (Output) value;
    }
    IndexedSlices slices = (IndexedSlices) value;
    Output rows =
        scope.operation("StridedSlice")
            .input(slices.denseShape())
            .input(constant(0))
            .input(constant(1))
            .input(constant(1))
            .attr("shrink_axis_mask", 1)
            .buildOutput();
    return scope.operation("UnsortedSegmentSum")
        .input(slices.values())
        .input(slices.indices())
        .input(rows)
        .buildOutput();
  }

  private Output constant(int value) {
    return scope.operation("Const").attr("value", Tensor.of(value)).attr("dtype", dev.tributary.tensor.DataType.INT32).buildOutput();
  }

  private Output addUp(List<GradientValue> all) {
    List<Output> dense = all.stream().map(this::dense).toList();
    return scope.operation("AddN").inputList(dense).buildOutput();
  }

  private IndexedSlices concatenate(List<GradientValue> all) {
    List<Output> values = new ArrayList<>();
    List<Output> indices = new ArrayList<>();
    for (GradientValue value : all) {
      values.add(((IndexedSlices) value).values());
      indices.add(((IndexedSlices) value).indices());
    }
    Output axis = scope.operation("Const").attr("value", Tensor.scalar(0)).attr("dtype", dev.tributary.tensor.DataType.INT32).buildOutput();
    return new IndexedSlices(
        scope.operation("ConcatV2").inputList(values).input(axis).buildOutput(),
        scope.operation("ConcatV2").inputList(indices).input(axis).buildOutput(),
        ((IndexedSlices) all.get(0)).denseShape());
  }
}
