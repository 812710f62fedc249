package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.array.Bincount;
import dev.tributary.internal.kernel.array.SortedSearch;
import dev.tributary.internal.kernel.array.Unique;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Counts of values, and searches in sorted ones. */
abstract sealed class CountingOps extends RowCountOps permits BucketOps {
  CountingOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Bincount")
            .input("arr: int32")
            .input("size: int32")
            .input("weights: T")
            .output("bins: T")
            .attr("T: {int32, int64, float, double}")
            .shape(
                c -> {
                  c.withRank(1, 0);
                  c.output(0, Shape.of(bins(c, 1)));
                })
            .kernel(node -> Bincount::flat)
            .notDifferentiable(),
        op("DenseBincount")
            .input("input: Tidx")
            .input("size: Tidx")
            .input("weights: T")
            .output("output: T")
            .attr("Tidx: {int32, int64}")
            .attr("T: {int32, int64, float, double}")
            .attr("binary_output: bool = false")
            .shape(CountingOps::denseBincountShape)
            .kernel(
                node -> {
                  boolean binary = node.attributes().bool("binary_output");
                  return c -> Bincount.dense(c, binary);
                })
            .notDifferentiable(),
        op("UniqueWithCounts")
            .input("x: T")
            .output("y: T")
            .output("idx: out_idx")
            .output("count: out_idx")
            .attr("T: type")
            .attr("out_idx: {int32, int64} = int32")
            .shape(
                c -> {
                  c.output(0, Shape.of(Shape.UNKNOWN));
                  c.output(1, c.withRank(0, 1));
                  c.output(2, Shape.of(Shape.UNKNOWN));
                })
            .kernel(node -> Unique.counting(node.type()))
            .notDifferentiable(),
        uniqueSlices("UniqueV2")
            .kernel(node -> Unique.ofSlices(node.type(), false))
            .notDifferentiable(),
        uniqueSlices("UniqueWithCountsV2")
            .output("count: out_idx")
            .kernel(node -> Unique.ofSlices(node.type(), true))
            .notDifferentiable(),
        bound("LowerBound").kernel(SortedSearch::lowerBound).notDifferentiable(),
        bound("UpperBound").kernel(SortedSearch::upperBound).notDifferentiable(),
        op("BoostedTreesBucketize")
            .input("float_values: num_features * float")
            .input("bucket_boundaries: num_features * float")
            .output("buckets: num_features * int32")
            .attr("num_features: int >= 0")
            .shape(
                c -> {
                  for (int i = 0; i < c.outputCount(); i++) {
                    c.output(i, c.withRank(i, 1));
                    c.withRank(c.outputCount() + i, 1);
                  }
                })
            .kernel(node -> SortedSearch::bucketize)
            .notDifferentiable());
  }

  private static Declaration bound(String name) {
    return op(name)
        .input("sorted_inputs: T")
        .input("values: T")
        .output("output: out_type")
        .attr("T: type")
        .attr("out_type: {int32, int64} = int32")
        .shape(
            c -> {
              c.withRank(0, 2);
              c.output(0, c.withRank(1, 2));
            });
  }

  /** The number of bins that an input gives, as far as it is known. */
  static long bins(InferenceContext context, int input) {
    long size = KnownValues.complete(context, input).map(known -> known[0]).orElse(Shape.UNKNOWN);
    if (size < Shape.UNKNOWN) {
      throw TributaryException.invalidArgument("size (%d) must be non-negative", size);
    }
    return size;
  }

  private static void denseBincountShape(InferenceContext context) {
    Shape input = context.withRankAtLeast(0, 1);
    context.withRank(1, 0);
    if (!input.hasRank()) {
      return;
    }
    if (input.rank() > 2) {
      throw TributaryException.invalidArgument(
          "Shape must be at most rank 2 but is rank %d", input.rank());
    }
    context.output(0, input.slice(0, input.rank() - 1).concatenate(Shape.of(bins(context, 1))));
  }

  /**
   * Counts how often each integer from 0 to {@code size} - 1 appears in a vector, or in each row of
   * a matrix.
   */
  public Output bincount(Operand values, Operand size) {
    return bincount(values, size, new Ops(scope).constant(new int[0]));
  }

  /** The sum of the weights of each integer, where a value has the weight at its place. */
  public Output bincount(Operand values, Operand size, Operand weights) {
    return scope.operation("DenseBincount").input(values).input(size).input(weights).buildOutput();
  }

  /** The different elements of a vector, which of them each element is, and how often each is. */
  public MathOps.UniqueCounts uniqueWithCounts(Operand x) {
    Operation unique = scope.operation("UniqueWithCounts").input(x).build();
    return new MathOps.UniqueCounts(unique.output(0), unique.output(1), unique.output(2));
  }

  /** The different slices of a tensor along an axis (0), and which of them each one is (1). */
  public List<Output> unique(Operand x, Operand axis) {
    return scope.operation("UniqueV2").input(x).input(axis).build().outputs();
  }

  /** The different slices of a tensor along an axis, each with the number of its appearances. */
  public MathOps.UniqueCounts uniqueWithCounts(Operand x, Operand axis) {
    Operation unique = scope.operation("UniqueWithCountsV2").input(x).input(axis).build();
    return new MathOps.UniqueCounts(unique.output(0), unique.output(1), unique.output(2));
  }

  private static Declaration uniqueSlices(String name) {
    return op(name)
        .input("x: T")
        .input("axis: Taxis")
        .output("y: T")
        .output("idx: out_idx")
        .attr("T: type")
        .attr("Taxis: {int32, int64} = int64")
        .attr("out_idx: {int32, int64} = int32")
        .shape(
            c -> {
              if (c.input(0).hasRank()) {
                c.output(0, Shape.ofRank(c.input(0).rank()));
              }
              for (int i = 1; i < c.outputCount(); i++) {
                c.output(i, Shape.ofRank(1));
              }
            });
  }

  /** For each value of a row, the first place of the sorted row whose element is not less. */
  public Output lowerBound(Operand sorted, Operand values, DataType type) {
    return bound("LowerBound", sorted, values, type);
  }

  /** For each value of a row, the first place of the sorted row whose element is greater. */
  public Output upperBound(Operand sorted, Operand values, DataType type) {
    return bound("UpperBound", sorted, values, type);
  }

  private Output bound(String op, Operand sorted, Operand values, DataType type) {
    return scope.operation(op).input(sorted).input(values).attr("out_type", type).buildOutput();
  }
}
