package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.sparse.SetKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Sets of values along the last dimension of tensors. */
public final class SetOps {
  private static final String TYPES = "T: {int8, int16, int32, int64, uint8, uint16, string}";

  /** An operation on two sets, by the name that TensorFlow gives it. */
  public enum SetOperation {
    A_MINUS_B("a-b"),
    B_MINUS_A("b-a"),
    INTERSECTION("intersection"),
    UNION("union");

    private final String text;

    SetOperation(String text) {
      this.text = text;
    }
  }

  private final Scope scope;

  SetOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        setOperation(op("DenseToDenseSetOperation").input("set1: T").input("set2: T"))
            .shape(
                c -> {
                  Shape groups = leading(c.input(0));
                  Shape other = leading(c.input(1));
                  if (!groups.isCompatibleWith(other)) {
                    throw TributaryException.invalidArgument(
                        "Mismatched shapes %s vs %s", groups, other);
                  }
                  sparseShape(c, groups.hasRank() ? groups.rank() + 1 : -1);
                })
            .kernel(SetKernels::denseToDense)
            .notDifferentiable(),
        setOperation(
                op("DenseToSparseSetOperation")
                    .input("set1: T")
                    .input("set2_indices: int64")
                    .input("set2_values: T")
                    .input("set2_shape: int64"))
            .shape(c -> sparseShape(c, c.input(0).rank()))
            .kernel(SetKernels::denseToSparse)
            .notDifferentiable(),
        setOperation(
                op("SparseToSparseSetOperation")
                    .input("set1_indices: int64")
                    .input("set1_values: T")
                    .input("set1_shape: int64")
                    .input("set2_indices: int64")
                    .input("set2_values: T")
                    .input("set2_shape: int64"))
            .shape(c -> sparseShape(c, c.knownShape(2).rank()))
            .kernel(SetKernels::sparseToSparse)
            .notDifferentiable(),
        op("SetSize")
            .input("set_indices: int64")
            .input("set_values: T")
            .input("set_shape: int64")
            .output("size: int32")
            .attr("validate_indices: bool = true")
            .attr(TYPES)
            .shape(
                c -> {
                  Shape shape = c.knownShape(2);
                  if (shape.hasRank()) {
                    c.output(0, leading(shape));
                  }
                })
            .kernel(SetKernels::size)
            .notDifferentiable());
  }

  private static Declaration setOperation(Declaration inputs) {
    return inputs
        .output("result_indices: int64")
        .output("result_values: T")
        .output("result_shape: int64")
        .attr("set_operation: string")
        .attr("validate_indices: bool = true")
        .attr(TYPES);
  }

  private static Shape leading(Shape shape) {
    if (!shape.hasRank()) {
      return shape;
    }
    if (shape.rank() < 2) {
      throw TributaryException.invalidArgument("Shape %s has rank %d < 2", shape, shape.rank());
    }
    return shape.slice(0, shape.rank() - 1);
  }

  /** The outputs are a sparse tensor of this rank; of any rank if it is -1. */
  private static void sparseShape(InferenceContext context, int rank) {
    if (rank >= 0 && rank < 2) {
      throw TributaryException.invalidArgument("sets must have rank 2 or more, got %d", rank);
    }
    context.output(0, Shape.of(Shape.UNKNOWN, rank));
    context.output(1, Shape.ofRank(1));
    context.output(2, Shape.of(rank));
  }

  /** The operation on the sets in the last dimension of two dense tensors. */
  public SparseTensor apply(SetOperation operation, Operand a, Operand b) {
    return SparseTensor.of(
        scope
            .operation("DenseToDenseSetOperation")
            .input(a)
            .input(b)
            .attr("set_operation", operation.text)
            .build());
  }

  /** The operation on the sets in the last dimension of a dense and a sparse tensor. */
  public SparseTensor apply(SetOperation operation, Operand a, SparseTensor b) {
    return SparseTensor.of(
        scope
            .operation("DenseToSparseSetOperation")
            .input(a)
            .input(b.indices())
            .input(b.values())
            .input(b.shape())
            .attr("set_operation", operation.text)
            .build());
  }

  /** The operation on the sets in the last dimension of two sparse tensors. */
  public SparseTensor apply(SetOperation operation, SparseTensor a, SparseTensor b) {
    return SparseTensor.of(
        scope
            .operation("SparseToSparseSetOperation")
            .input(a.indices())
            .input(a.values())
            .input(a.shape())
            .input(b.indices())
            .input(b.values())
            .input(b.shape())
            .attr("set_operation", operation.text)
            .build());
  }

  /** The number of different values in the last dimension of a sparse tensor. */
  public Output size(SparseTensor set) {
    return scope
        .operation("SetSize")
        .input(set.indices())
        .input(set.values())
        .input(set.shape())
        .buildOutput();
  }
}
