package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.kernel.sparse.SparseShapes;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Sparse tensors reshaped, filled up and made dense. */
public final class SparseOps extends SparseMathOps {
  SparseOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("SparseFillEmptyRows")
            .input("indices: int64")
            .input("values: T")
            .input("dense_shape: int64")
            .input("default_value: T")
            .output("output_indices: int64")
            .output("output_values: T")
            .output("empty_row_indicator: bool")
            .output("reverse_index_map: int64")
            .attr("T: type")
            .shape(SparseOps::filledShape)
            .kernel(node -> SparseShapes::fillEmptyRows)
            .gradRule(SparseOps::fillGradient),
        op("SparseFillEmptyRowsGrad")
            .input("reverse_index_map: int64")
            .input("grad_values: T")
            .output("d_values: T")
            .output("d_default_value: T")
            .attr("T: type")
            .shape(
                c -> {
                  c.output(0, c.withRank(0, 1));
                  c.withRank(1, 1);
                  c.output(1, Shape.scalar());
                })
            .kernel(
                node -> {
                  Arithmetic.ADD.requireSupport(node.type());
                  return SparseShapes::fillEmptyRowsGradient;
                })
            .notDifferentiable(),
        op("SparseReshape")
            .input("input_indices: int64")
            .input("input_shape: int64")
            .input("new_shape: int64")
            .output("output_indices: int64")
            .output("output_shape: int64")
            .shape(
                c -> {
                  long rank = c.withRank(2, 1).size(0);
                  c.withRank(1, 1);
                  c.output(0, Shape.of(c.withRank(0, 2).size(0), rank));
                  c.output(1, Shape.of(rank));
                })
            .kernel(node -> SparseShapes::reshape)
            .notDifferentiable(),
        op("SparseToDense")
            .input("sparse_indices: Tindices")
            .input("output_shape: Tindices")
            .input("sparse_values: T")
            .input("default_value: T")
            .output("dense: T")
            .attr("validate_indices: bool = true")
            .attr("T: type")
            .attr("Tindices: {int32, int64}")
            .shape(c -> c.output(0, c.knownShape(1)))
            .kernel(
                node -> {
                  boolean ordered = node.attributes().bool("validate_indices");
                  return c -> SparseShapes.toDense(c, ordered);
                })
            .grad(SparseOps::toDenseGradient));
  }

  private static void filledShape(InferenceContext context) {
    Shape indices = context.withRank(0, 2);
    context.withRank(1, 1);
    context.withRank(3, 0);
    Shape dense = context.knownShape(2);
    boolean knowsRows = dense.hasRank() && dense.rank() > 0;
    context.output(0, Shape.of(Shape.UNKNOWN, indices.size(1)));
    context.output(1, Shape.ofRank(1));
    context.output(2, Shape.of(knowsRows ? dense.size(0) : Shape.UNKNOWN));
    context.output(3, Shape.of(indices.size(0)));
  }

  private static List<GradientValue> fillGradient(
      Scope scope, Operation op, List<? extends GradientValue> dy) {
    Operation gradient =
        scope
            .operation("SparseFillEmptyRowsGrad")
            .input(op.output(3))
            .input((Output) dy.get(1))
            .build();
    return List.of(
        GradientValue.none(), gradient.output(0), GradientValue.none(), gradient.output(1));
  }

  /** The gradient that does not go to a value goes to the default. */
  private static List<GradientValue> toDenseGradient(Ops tf, Operation op, Output dy) {
    Output sizes = op.input(1);
    Output values = op.input(2);
    Output columns = tf.reshape(tf.size(sizes), 1);
    Output rows = tf.reshape(tf.div(tf.size(op.input(0)), tf.size(sizes)), 1);
    Output indices = tf.reshape(op.input(0), tf.concat(0, rows, columns));
    Output picked = tf.array.gatherNd(dy, indices);
    boolean shared = values.shape().isScalar();
    Output ofValues = shared ? tf.sum(picked) : tf.reshape(picked, tf.shape(values));
    return List.of(
        GradientValue.none(), GradientValue.none(), ofValues, tf.sub(tf.sum(dy), tf.sum(picked)));
  }

  /** A sparse tensor of which each row has a value, and what was done to get it. */
  public record FilledRows(SparseTensor filled, Output emptyRows, Output reverseIndexMap) {}

  /** Puts a default value into the first column of each row without values. */
  public FilledRows fillEmptyRows(SparseTensor input, Operand defaultValue) {
    Operation filled =
        scope
            .operation("SparseFillEmptyRows")
            .input(input.indices())
            .input(input.values())
            .input(input.shape())
            .input(defaultValue)
            .build();
    return new FilledRows(
        new SparseTensor(filled.output(0), filled.output(1), input.shape()),
        filled.output(2),
        filled.output(3));
  }

  /** The same values in another shape, in which one size may be -1. */
  public SparseTensor reshape(SparseTensor input, long... sizes) {
    Operation reshaped =
        scope
            .operation("SparseReshape")
            .input(input.indices())
            .input(input.shape())
            .input(new Ops(scope).constant(sizes))
            .build();
    return new SparseTensor(reshaped.output(0), input.values(), reshaped.output(1));
  }

  /** The dense tensor, with zeros or empty strings where the sparse one has no value. */
  public Output toDense(SparseTensor input) {
    Ops tf = new Ops(scope);
    boolean strings = input.values().type() == DataType.STRING;
    return toDense(input, strings ? tf.constant("") : tf.constant(input.values().type(), 0));
  }

  /** The dense tensor, with a default value where the sparse one has none. */
  public Output toDense(SparseTensor input, Operand defaultValue) {
    return scope
        .operation("SparseToDense")
        .input(input.indices())
        .input(input.shape())
        .input(input.values())
        .input(defaultValue)
        .buildOutput();
  }
}
