package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.kernel.math.MatMulKernel;
import dev.tributary.internal.kernel.sparse.SparsePairs;
import dev.tributary.internal.kernel.sparse.SparseReduction;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * Sparse tensors combined element by element with others, reductions that stay sparse, and the
 * product of matrices with many zeros. Graphs that TensorFlow wrote have them; no client adds them.
 */
final class SparseElementOps {
  private SparseElementOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        withDense("SparseDenseCwiseAdd")
            .kernel(node -> SparsePairs.withDense(node, Arithmetic.ADD))
            .notDifferentiable(),
        withDense("SparseDenseCwiseMul")
            .kernel(node -> SparsePairs.withDense(node, Arithmetic.MULTIPLY))
            .grad(
                (tf, op, dy) -> {
                  Dense dense = Dense.of(tf, op);
                  return dense.gradients(tf, tf.mul(dy, dense.values), tf.mul(dy, op.input(1)));
                }),
        withDense("SparseDenseCwiseDiv")
            .kernel(node -> SparsePairs.withDense(node, Arithmetic.DIVIDE))
            .grad(
                (tf, op, dy) -> {
                  Dense dense = Dense.of(tf, op);
                  Output share = tf.div(dy, dense.values);
                  Output quotient = op.output(0);
                  return dense.gradients(tf, share, tf.neg(tf.mul(share, quotient)));
                }),
        ofBoth("SparseSparseMaximum", TypeSpecs.ORDERED)
            .kernel(node -> SparsePairs.ofBoth(node, Arithmetic.MAXIMUM))
            .notDifferentiable(),
        ofBoth("SparseSparseMinimum", TypeSpecs.NUMBER)
            .kernel(node -> SparsePairs.ofBoth(node, Arithmetic.MINIMUM))
            .notDifferentiable(),
        reduction("SparseReduceSumSparse", TypeSpecs.NUMBER)
            .kernel(node -> SparseReduction.sum(node)::computeSparse)
            .notDifferentiable(),
        reduction("SparseReduceMaxSparse", TypeSpecs.ORDERED)
            .kernel(node -> SparseReduction.max(node)::computeSparse)
            .notDifferentiable(),
        op("SparseMatMul")
            .input("a: Ta")
            .input("b: Tb")
            .output("product: float")
            .attr("transpose_a: bool = false")
            .attr("transpose_b: bool = false")
            .attr("a_is_sparse: bool = false")
            .attr("b_is_sparse: bool = false")
            .attr("Ta: {float, bfloat16} = float")
            .attr("Tb: {float, bfloat16} = float")
            .flag(OpFlag.EXPENSIVE)
            .shape(LinalgOps::matMulShape)
            .kernel(MatMulKernel::toFloat)
            .grad(SparseElementOps::productGradient));
  }

  private static Declaration withDense(String name) {
    return op(name)
        .input("sp_indices: int64")
        .input("sp_values: T")
        .input("sp_shape: int64")
        .input("dense: T")
        .output("output: T")
        .attr(TypeSpecs.NUMBER)
        .shape(c -> c.output(0, Shape.of(c.withRank(0, 2).size(0))));
  }

  private static Declaration ofBoth(String name, String types) {
    return op(name)
        .input("a_indices: int64")
        .input("a_values: T")
        .input("a_shape: int64")
        .input("b_indices: int64")
        .input("b_values: T")
        .input("b_shape: int64")
        .output("output_indices: int64")
        .output("output_values: T")
        .attr(types)
        .shape(
            c -> {
              c.output(0, Shape.ofRank(2));
              c.output(1, Shape.ofRank(1));
            });
  }

  private static Declaration reduction(String name, String types) {
    return op(name)
        .input("input_indices: int64")
        .input("input_values: T")
        .input("input_shape: int64")
        .input("reduction_axes: int32")
        .output("output_indices: int64")
        .output("output_values: T")
        .output("output_shape: int64")
        .attr("keep_dims: bool = false")
        .attr(types)
        .shape(SparseElementOps::reducedShape);
  }

  private static void reducedShape(InferenceContext context) {
    context.output(0, Shape.ofRank(2));
    context.output(1, Shape.ofRank(1));
    context.output(2, Shape.ofRank(1));
  }

  /** The gradients of a product, each in the type of its factor. */
  private static List<Output> productGradient(Ops tf, Operation op, Output dy) {
    List<Output> wide =
        LinalgOps.productGradient(
            tf.linalg::matMul,
            tf.cast(op.input(0), DataType.FLOAT),
            tf.cast(op.input(1), DataType.FLOAT),
            dy,
            op.attributes().bool("transpose_a"),
            op.attributes().bool("transpose_b"));
    return List.of(
        tf.cast(wide.get(0), op.input(0).type()), tf.cast(wide.get(1), op.input(1).type()));
  }

  /** The elements of the dense operand that values of the sparse one go with. */
  private record Dense(Output operand, Output indices, Output values) {
    static Dense of(Ops tf, Operation op) {
      Output sizes = op.input(2);
      Output own = tf.array.shape(op.input(3), sizes.type());
      Output missing = tf.sub(tf.size(sizes), tf.size(own));
      Output repeated = tf.cast(tf.equal(own, tf.constant(sizes.type(), 1)), sizes.type());
      Output last =
          tf.array.slice(op.input(0), tf.stack(tf.constant(0), missing), tf.constant(-1, -1));
      Output indices = tf.mul(last, tf.sub(tf.constant(sizes.type(), 1), repeated));
      return new Dense(op.input(3), indices, tf.array.gatherNd(op.input(3), indices));
    }

    List<GradientValue> gradients(Ops tf, Output ofSparse, Output ofDense) {
      Output sum = tf.array.scatterNd(indices, ofDense, tf.array.shape(operand, indices.type()));
      return List.of(GradientValue.none(), ofSparse, GradientValue.none(), sum);
    }
  }
}
