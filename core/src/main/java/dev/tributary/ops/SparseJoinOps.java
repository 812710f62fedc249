package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.sparse.SparseCross;
import dev.tributary.internal.kernel.sparse.SparseOrder;
import dev.tributary.internal.kernel.sparse.SparseSlices;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** Sparse tensors put in order, joined, cut and crossed. */
abstract sealed class SparseJoinOps extends SparseSegmentOps permits SparseMathOps {
  /** TensorFlow's. */
  private static final long DEFAULT_HASH_KEY = 0xDECAFCAFFEL;

  SparseJoinOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("SparseReorder")
            .input("input_indices: int64")
            .input("input_values: T")
            .input("input_shape: int64")
            .output("output_indices: int64")
            .output("output_values: T")
            .attr("T: type")
            .shape(
                c -> {
                  c.output(0, c.withRank(0, 2));
                  c.output(1, c.withRank(1, 1));
                  c.withRank(2, 1);
                })
            .kernel(node -> SparseOrder::reorder)
            .gradRule(SparseJoinOps::reorderGradient),
        op("SparseConcat")
            .input("indices: N * int64")
            .input("values: N * T")
            .input("shapes: N * int64")
            .output("output_indices: int64")
            .output("output_values: T")
            .output("output_shape: int64")
            .attr("concat_dim: int")
            .attr("N: int >= 2")
            .attr("T: type")
            .shape(
                c -> {
                  Shape shape = c.withRank(2 * (c.inputCount() / 3), 1);
                  sparse(c, 0, 1, shape);
                })
            .kernel(SparseOrder::concat)
            .notDifferentiable(),
        op("SparseSlice")
            .input("indices: int64")
            .input("values: T")
            .input("shape: int64")
            .input("start: int64")
            .input("size: int64")
            .output("output_indices: int64")
            .output("output_values: T")
            .output("output_shape: int64")
            .attr("T: type")
            .shape(c -> sparse(c, 0, 1, c.withRank(2, 1)))
            .kernel(node -> SparseSlices::slice)
            .gradRule(SparseJoinOps::sliceGradient),
        op("SparseSliceGrad")
            .input("backprop_val_grad: T")
            .input("input_indices: int64")
            .input("input_start: int64")
            .input("output_indices: int64")
            .output("val_grad: T")
            .attr(TypeSpecs.NUMBER)
            .shape(c -> c.output(0, Shape.of(c.withRank(1, 2).size(0))))
            .kernel(node -> SparseSlices::sliceGradient)
            .notDifferentiable(),
        op("SparseSplit")
            .input("split_dim: int64")
            .input("indices: int64")
            .input("values: T")
            .input("shape: int64")
            .output("output_indices: num_split * int64")
            .output("output_values: num_split * T")
            .output("output_shape: num_split * int64")
            .attr("num_split: int >= 1")
            .attr("T: type")
            .shape(
                c -> {
                  int parts = c.outputCount() / 3;
                  for (int i = 0; i < parts; i++) {
                    sparse(c, i, parts, c.withRank(3, 1));
                  }
                })
            .kernel(
                node -> {
                  int parts = node.attributes().int32("num_split");
                  return c -> SparseSlices.split(c, parts);
                })
            .notDifferentiable(),
        columns(op("SparseCross"))
            .output("output_indices: int64")
            .output("output_values: out_type")
            .output("output_shape: int64")
            .attr("N: int >= 0")
            .attr("hashed_output: bool")
            .attr("num_buckets: int >= 0")
            .attr("hash_key: int")
            .attr("sparse_types: list({int64, string}) >= 0")
            .attr("dense_types: list({int64, string}) >= 0")
            .attr("out_type: {int64, string}")
            .attr("internal_type: {int64, string}")
            .shape(SparseJoinOps::crossShape)
            .kernel(SparseCross::old)
            .notDifferentiable(),
        columns(op("SparseCrossV2"))
            .input("sep: string")
            .output("output_indices: int64")
            .output("output_values: string")
            .output("output_shape: int64")
            .attr("N: int >= 0")
            .attr("sparse_types: list({int64, string}) >= 0")
            .attr("dense_types: list({int64, string}) >= 0")
            .shape(SparseJoinOps::crossShape)
            .kernel(SparseCross::strings)
            .notDifferentiable(),
        columns(op("SparseCrossHashed"))
            .input("num_buckets: int64")
            .input("strong_hash: bool")
            .input("salt: int64")
            .output("output_indices: int64")
            .output("output_values: int64")
            .output("output_shape: int64")
            .attr("N: int >= 0")
            .attr("sparse_types: list({int64, string}) >= 0")
            .attr("dense_types: list({int64, string}) >= 0")
            .shape(SparseJoinOps::crossShape)
            .kernel(SparseCross::hashed)
            .notDifferentiable());
  }

  private static Declaration columns(Declaration cross) {
    return cross
        .input("indices: N * int64")
        .input("values: sparse_types")
        .input("shapes: N * int64")
        .input("dense_inputs: dense_types");
  }

  private static void crossShape(InferenceContext context) {
    sparse(context, 0, 1, Shape.of(2));
  }

  /** Outputs i of three lists are a sparse tensor, whose shape has as many elements as this. */
  private static void sparse(InferenceContext context, int i, int parts, Shape shape) {
    context.output(i, Shape.of(Shape.UNKNOWN, shape.size(0)));
    context.output(parts + i, Shape.ofRank(1));
    context.output(2 * parts + i, shape);
  }

  /** The numbers of the values, put in the same order, tell where each value went. */
  private static List<GradientValue> reorderGradient(
      Scope scope, Operation op, List<? extends GradientValue> dy) {
    Ops tf = new Ops(scope);
    Output numbers = tf.range(tf.constant(0), tf.size(op.input(1)), tf.constant(1));
    Operation moved =
        scope
            .operation("SparseReorder")
            .input(op.input(0))
            .input(numbers)
            .input(op.input(2))
            .build();
    Output places = scope.operation("InvertPermutation").input(moved.output(1)).buildOutput();
    return List.of(
        GradientValue.none(), tf.gather((Output) dy.get(1), places), GradientValue.none());
  }

  private static List<GradientValue> sliceGradient(
      Scope scope, Operation op, List<? extends GradientValue> dy) {
    Output values =
        scope
            .operation("SparseSliceGrad")
            .input((Output) dy.get(1))
            .input(op.input(0))
            .input(op.input(3))
            .input(op.output(0))
            .buildOutput();
    GradientValue none = GradientValue.none();
    return List.of(none, values, none, none, none);
  }

  /** The same tensor with its values in the order of their places, row by row. */
  public SparseTensor reorder(SparseTensor input) {
    Operation ordered =
        scope
            .operation("SparseReorder")
            .input(input.indices())
            .input(input.values())
            .input(input.shape())
            .build();
    return new SparseTensor(ordered.output(0), ordered.output(1), input.shape());
  }

  /** One tensor behind the other along an axis. */
  public SparseTensor concat(int axis, List<SparseTensor> inputs) {
    return SparseTensor.of(
        scope
            .operation("SparseConcat")
            .inputList(inputs.stream().map(SparseTensor::indices).toList())
            .inputList(inputs.stream().map(SparseTensor::values).toList())
            .inputList(inputs.stream().map(SparseTensor::shape).toList())
            .attr("concat_dim", axis)
            .build());
  }

  /** The part that starts at some place and has at most some size. */
  public SparseTensor slice(SparseTensor input, long[] start, long[] size) {
    Ops tf = new Ops(scope);
    return SparseTensor.of(
        scope
            .operation("SparseSlice")
            .input(input.indices())
            .input(input.values())
            .input(input.shape())
            .input(tf.constant(start))
            .input(tf.constant(size))
            .build());
  }

  /** Parts of equal size along an axis; those in front are longer if it does not divide. */
  public List<SparseTensor> split(SparseTensor input, int axis, int parts) {
    Operation split =
        scope
            .operation("SparseSplit")
            .input(new Ops(scope).constant((long) axis))
            .input(input.indices())
            .input(input.values())
            .input(input.shape())
            .attr("num_split", parts)
            .build();
    List<SparseTensor> result = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      result.add(
          new SparseTensor(split.output(i), split.output(parts + i), split.output(2 * parts + i)));
    }
    return result;
  }

  /** A bucket for each combination of the features that the columns have in a row. */
  public SparseTensor crossHashed(
      List<SparseTensor> sparse, List<? extends Operand> dense, long buckets) {
    return crossHashed(sparse, dense, buckets, DEFAULT_HASH_KEY);
  }

  /**
   * @param hashKey begins each hash; another one collides elsewhere
   */
  public SparseTensor crossHashed(
      List<SparseTensor> sparse, List<? extends Operand> dense, long buckets, long hashKey) {
    return SparseTensor.of(
        scope
            .operation("SparseCross")
            .inputList(sparse.stream().map(SparseTensor::indices).toList())
            .inputList(sparse.stream().map(SparseTensor::values).toList())
            .inputList(sparse.stream().map(SparseTensor::shape).toList())
            .inputList(dense)
            .attr("hashed_output", true)
            .attr("num_buckets", buckets)
            .attr("hash_key", hashKey)
            .attr("out_type", DataType.INT64)
            .attr("internal_type", DataType.INT64)
            .build());
  }
}
