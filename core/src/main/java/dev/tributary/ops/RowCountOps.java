package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.sparse.CountKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Ops that count values in the rows of sparse and ragged tensors, or give counts as sparse. */
abstract sealed class RowCountOps permits CountingOps {
  final Scope scope;

  RowCountOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        bincount(
                op("SparseBincount")
                    .input("indices: int64")
                    .input("values: Tidx")
                    .input("dense_shape: int64"))
            .shape(RowCountOps::sparseBincountShape)
            .kernel(CountKernels::sparseBincount)
            .notDifferentiable(),
        bincount(op("RaggedBincount").input("splits: int64").input("values: Tidx"))
            .shape(
                c -> {
                  long splits = c.withRank(0, 1).size(0);
                  long rows = splits == Shape.UNKNOWN ? splits : Math.max(0, splits - 1);
                  c.output(0, Shape.of(rows, bins(c, 2)));
                })
            .kernel(CountKernels::raggedBincount)
            .notDifferentiable(),
        counts(op("DenseCountSparseOutput").input("values: T"))
            .shape(c -> countShape(c, c.input(0).hasRank() ? c.input(0).rank() : -1))
            .kernel(CountKernels::countDense)
            .notDifferentiable(),
        counts(
                op("SparseCountSparseOutput")
                    .input("indices: int64")
                    .input("values: T")
                    .input("dense_shape: int64"))
            .shape(c -> countShape(c, Math.min(2, (int) c.withRank(0, 2).size(1))))
            .kernel(CountKernels::countSparse)
            .notDifferentiable(),
        counts(op("RaggedCountSparseOutput").input("splits: int64").input("values: T"))
            .shape(c -> countShape(c, 2))
            .kernel(CountKernels::countRagged)
            .notDifferentiable());
  }

  private static Declaration bincount(Declaration declaration) {
    return declaration
        .input("size: Tidx")
        .input("weights: T")
        .output("output: T")
        .attr("Tidx: {int32, int64}")
        .attr("T: {int32, int64, float, double}")
        .attr("binary_output: bool = false");
  }

  private static Declaration counts(Declaration declaration) {
    return declaration
        .input("weights: output_type")
        .output("output_indices: int64")
        .output("output_values: output_type")
        .output("output_dense_shape: int64")
        .attr("T: {int32, int64}")
        .attr("minlength: int >= -1 = -1")
        .attr("maxlength: int >= -1 = -1")
        .attr("binary_output: bool")
        .attr("output_type: {int32, int64, float, double}");
  }

  private static void sparseBincountShape(InferenceContext context) {
    Shape sizes = context.knownShape(2);
    if (sizes.hasRank()) {
      Shape bins = Shape.of(bins(context, 3));
      boolean isVector = sizes.rank() == 1;
      context.output(0, isVector ? bins : Shape.of(sizes.size(0)).concatenate(bins));
    }
  }

  private static long bins(InferenceContext context, int input) {
    context.withRank(input, 0);
    return context
        .constant(input)
        .map(size -> size.getIndex(0))
        .filter(size -> size >= 0)
        .orElse(Shape.UNKNOWN);
  }

  private static void countShape(InferenceContext context, int rank) {
    context.output(0, Shape.of(Shape.UNKNOWN, rank));
    context.output(1, Shape.of(Shape.UNKNOWN));
    context.output(2, Shape.of(rank));
  }

  /**
   * Counts the integers below {@code size} in each row of a sparse tensor, or in a sparse vector.
   *
   * @param weights what each value counts; no elements for 1 each
   */
  public Output bincount(SparseTensor values, Operand size, Operand weights) {
    return scope
        .operation("SparseBincount")
        .input(values.indices())
        .input(values.values())
        .input(values.shape())
        .input(size)
        .input(weights)
        .buildOutput();
  }

  /** Counts the integers below {@code size} in each row of a ragged tensor with int64 splits. */
  public Output bincount(RaggedTensor values, Operand size, Operand weights) {
    return scope
        .operation("RaggedBincount")
        .input(values.rowSplits())
        .input(values.values())
        .input(size)
        .input(weights)
        .buildOutput();
  }

  /**
   * Counts the integers in a vector or in each row of a matrix.
   *
   * @param weights what each value counts; no elements for 1 each
   */
  public SparseTensor sparseCounts(Operand values, Operand weights) {
    return counts(scope.operation("DenseCountSparseOutput").input(values).input(weights));
  }

  /** Counts the integers in each row of a sparse tensor, or in a sparse vector. */
  public SparseTensor sparseCounts(SparseTensor values, Operand weights) {
    return counts(
        scope
            .operation("SparseCountSparseOutput")
            .input(values.indices())
            .input(values.values())
            .input(values.shape())
            .input(weights));
  }

  /** Counts the integers in each row of a ragged tensor with int64 splits. */
  public SparseTensor sparseCounts(RaggedTensor values, Operand weights) {
    return counts(
        scope
            .operation("RaggedCountSparseOutput")
            .input(values.rowSplits())
            .input(values.values())
            .input(weights));
  }

  private static SparseTensor counts(OperationBuilder builder) {
    return SparseTensor.of(builder.attr("binary_output", false).build());
  }
}
