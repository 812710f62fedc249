package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.kernel.sparse.EditDistance;
import dev.tributary.internal.kernel.sparse.SparseProducts;
import dev.tributary.internal.kernel.sparse.SparseReduction;
import dev.tributary.internal.kernel.sparse.SparseSums;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;

/** Sums, products and reductions of sparse tensors. */
abstract sealed class SparseMathOps extends SparseJoinOps permits SparseOps {
  SparseMathOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("SparseAdd")
            .input("a_indices: int64")
            .input("a_values: T")
            .input("a_shape: int64")
            .input("b_indices: int64")
            .input("b_values: T")
            .input("b_shape: int64")
            .input("thresh: Treal")
            .output("sum_indices: int64")
            .output("sum_values: T")
            .output("sum_shape: int64")
            .attr(TypeSpecs.NUMBER)
            .attr(TypeSpecs.ORDERED.replaceFirst("T:", "Treal:"))
            .shape(
                c -> {
                  Shape shape = c.withRank(2, 1);
                  c.output(0, Shape.of(Shape.UNKNOWN, shape.size(0)));
                  c.output(1, Shape.ofRank(1));
                  c.output(2, shape);
                })
            .kernel(
                node -> {
                  Arithmetic.ADD.requireSupport(node.type());
                  return SparseSums::add;
                })
            .gradRule(SparseMathOps::addGradient),
        op("SparseAddGrad")
            .input("backprop_val_grad: T")
            .input("a_indices: int64")
            .input("b_indices: int64")
            .input("sum_indices: int64")
            .output("a_val_grad: T")
            .output("b_val_grad: T")
            .attr(TypeSpecs.NUMBER)
            .shape(
                c -> {
                  c.output(0, Shape.of(c.withRank(1, 2).size(0)));
                  c.output(1, Shape.of(c.withRank(2, 2).size(0)));
                })
            .kernel(node -> SparseSums::addGradient)
            .notDifferentiable(),
        op("SparseTensorDenseAdd")
            .input("a_indices: Tindices")
            .input("a_values: T")
            .input("a_shape: Tindices")
            .input("b: T")
            .output("output: T")
            .attr(TypeSpecs.NUMBER)
            .attr("Tindices: {int32, int64}")
            .shape(c -> c.output(0, c.input(3)))
            .kernel(
                node -> {
                  Arithmetic.ADD.requireSupport(node.type());
                  return SparseSums::addToDense;
                })
            .grad(
                (tf, op, dy) ->
                    List.of(
                        GradientValue.none(),
                        tf.array.gatherNd(dy, op.input(0)),
                        GradientValue.none(),
                        dy)),
        op("SparseTensorDenseMatMul")
            .input("a_indices: Tindices")
            .input("a_values: T")
            .input("a_shape: int64")
            .input("b: T")
            .output("product: T")
            .attr("T: type")
            .attr("Tindices: {int32, int64} = int64")
            .attr("adjoint_a: bool = false")
            .attr("adjoint_b: bool = false")
            .shape(
                c -> {
                  Shape a = c.knownShape(2);
                  boolean adjointA = c.attributes().bool("adjoint_a");
                  boolean adjointB = c.attributes().bool("adjoint_b");
                  long rows = a.rank() == 2 ? a.size(adjointA ? 1 : 0) : Shape.UNKNOWN;
                  c.output(0, Shape.of(rows, c.withRank(3, 2).size(adjointB ? 0 : 1)));
                })
            .kernel(SparseProducts::matMul)
            .flag(OpFlag.EXPENSIVE)
            .grad(SparseMathOps::matMulGradient),
        reduction("SparseReduceSum", TypeSpecs.NUMBER)
            .kernel(SparseReduction::sum)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        GradientValue.none(),
                        sumGradient(tf, op, dy),
                        GradientValue.none(),
                        GradientValue.none())),
        reduction("SparseReduceMax", TypeSpecs.ORDERED)
            .kernel(SparseReduction::max)
            .notDifferentiable(),
        op("SparseSoftmax")
            .input("sp_indices: int64")
            .input("sp_values: T")
            .input("sp_shape: int64")
            .output("output: T")
            .attr("T: {half, float, double}")
            .shape(
                c -> {
                  c.withRank(0, 2);
                  c.withRank(2, 1);
                  c.output(0, c.withRank(1, 1));
                })
            .kernel(node -> SparseProducts::softmax)
            .grad(SparseMathOps::softmaxGradient),
        op("EditDistance")
            .input("hypothesis_indices: int64")
            .input("hypothesis_values: T")
            .input("hypothesis_shape: int64")
            .input("truth_indices: int64")
            .input("truth_values: T")
            .input("truth_shape: int64")
            .output("output: float")
            .attr("normalize: bool = true")
            .attr("T: type")
            .shape(SparseMathOps::distanceShape)
            .kernel(EditDistance::new)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable());
  }

  private static Declaration reduction(String name, String types) {
    return op(name)
        .input("input_indices: int64")
        .input("input_values: T")
        .input("input_shape: int64")
        .input("reduction_axes: int32")
        .output("output: T")
        .attr("keep_dims: bool = false")
        .attr(types)
        .shape(SparseMathOps::reducedShape);
  }

  private static void reducedShape(InferenceContext context) {
    Shape shape = context.knownShape(2);
    Optional<long[]> axes = KnownValues.complete(context, 3);
    if (shape.hasRank() && axes.isPresent()) {
      boolean keepDims = context.attributes().bool("keep_dims");
      context.output(0, SparseReduction.reduced(shape, axes.get(), keepDims));
    }
  }

  private static void distanceShape(InferenceContext context) {
    Shape hypothesis = context.knownShape(2);
    Shape truth = context.knownShape(5);
    if (!hypothesis.isFullyDefined() || !truth.isFullyDefined()) {
      return;
    }
    if (hypothesis.rank() != truth.rank() || truth.rank() < 2) {
      throw TributaryException.invalidArgument(
          "truth and hypothesis must have matching ranks of at least 2, got shapes %s and %s",
          truth, hypothesis);
    }
    Shape shape = truth.slice(0, truth.rank() - 1);
    for (int d = 0; d < shape.rank(); d++) {
      shape = shape.withSize(d, Math.max(shape.size(d), hypothesis.size(d)));
    }
    context.output(0, shape);
  }

  private static List<GradientValue> addGradient(
      Scope scope, Operation op, List<? extends GradientValue> dy) {
    Operation gradient =
        scope
            .operation("SparseAddGrad")
            .input((Output) dy.get(1))
            .input(op.input(0))
            .input(op.input(3))
            .input(op.output(0))
            .build();
    GradientValue none = GradientValue.none();
    return List.of(none, gradient.output(0), none, none, gradient.output(1), none, none);
  }

  /** A value's gradient is the product of its row of the gradient and its row of b. */
  private static List<GradientValue> matMulGradient(Ops tf, Operation op, Output dy) {
    boolean adjointA = op.attributes().bool("adjoint_a");
    boolean adjointB = op.attributes().bool("adjoint_b");
    Output ofB =
        tf.scope()
            .operation("SparseTensorDenseMatMul")
            .input(op.input(0))
            .input(op.input(1))
            .input(op.input(2))
            .input(dy)
            .attr("adjoint_a", !adjointA)
            .buildOutput();
    Output b = adjointB ? tf.transpose(op.input(3), 1, 0) : op.input(3);
    Output rows = tf.gather(op.input(0), tf.constant(adjointA ? 1 : 0), 1);
    Output columns = tf.gather(op.input(0), tf.constant(adjointA ? 0 : 1), 1);
    Output ofValues = tf.sum(tf.mul(tf.gather(dy, rows), tf.gather(b, columns)), 1);
    return List.of(
        GradientValue.none(),
        ofValues,
        GradientValue.none(),
        adjointB ? tf.transpose(ofB, 1, 0) : ofB);
  }

  private static Output sumGradient(Ops tf, Operation op, Output dy) {
    Output sizes = op.input(2);
    Output axes = tf.reshape(op.input(3), -1);
    Output rank = tf.size(sizes);
    Output folds =
        tf.math.unsortedSegmentSum(tf.onesLike(axes), tf.math.floorMod(axes, rank), rank);
    Output isKept = tf.cast(tf.equal(folds, tf.constant(0)), sizes.type());
    Output one = tf.constant(sizes.type(), 1);
    Output kept = tf.add(tf.mul(sizes, isKept), tf.sub(one, isKept));
    return tf.array.gatherNd(tf.reshape(dy, kept), tf.mul(op.input(0), isKept));
  }

  /** y (dy - sum of dy y over the row). */
  private static List<GradientValue> softmaxGradient(Ops tf, Operation op, Output dy) {
    Output y = op.output(0);
    Output indices = op.input(0);
    Output sums =
        tf.scope()
            .operation("SparseReduceSum")
            .input(indices)
            .input(tf.mul(dy, y))
            .input(op.input(2))
            .input(tf.constant(new int[] {-1}))
            .attr("keep_dims", true)
            .buildOutput();
    Output rank = tf.size(op.input(2));
    Output last = tf.add(rank, tf.constant(1));
    Output isLeading = tf.less(tf.range(tf.constant(1), last, tf.constant(1)), rank);
    Output first = tf.mul(indices, tf.cast(isLeading, indices.type()));
    Output values = tf.mul(y, tf.sub(dy, tf.array.gatherNd(sums, first)));
    return List.of(GradientValue.none(), values, GradientValue.none());
  }

  /** The sum of two sparse tensors of one shape. */
  public SparseTensor add(SparseTensor a, SparseTensor b) {
    return SparseTensor.of(
        scope
            .operation("SparseAdd")
            .input(a.indices())
            .input(a.values())
            .input(a.shape())
            .input(b.indices())
            .input(b.values())
            .input(b.shape())
            .input(new Ops(scope).constant(a.values().type(), 0))
            .build());
  }

  /** The sum of a sparse and a dense tensor of one shape. */
  public Output add(SparseTensor a, Operand b) {
    return scope
        .operation("SparseTensorDenseAdd")
        .input(a.indices())
        .input(a.values())
        .input(a.shape())
        .input(b)
        .buildOutput();
  }

  /** The product of a sparse and a dense matrix. */
  public Output matMul(SparseTensor a, Operand b) {
    return scope
        .operation("SparseTensorDenseMatMul")
        .input(a.indices())
        .input(a.values())
        .input(a.shape())
        .input(b)
        .buildOutput();
  }

  /** The sum over some axes, as a dense tensor. */
  public Output sum(SparseTensor input, int... axes) {
    return reduced("SparseReduceSum", input, axes);
  }

  /** The greatest value over some axes, as a dense tensor; 0 where there is none. */
  public Output max(SparseTensor input, int... axes) {
    return reduced("SparseReduceMax", input, axes);
  }

  private Output reduced(String op, SparseTensor input, int... axes) {
    return scope
        .operation(op)
        .input(input.indices())
        .input(input.values())
        .input(input.shape())
        .input(new Ops(scope).constant(axes))
        .buildOutput();
  }

  /** The softmax over the values of each row of the last dimension. */
  public SparseTensor softmax(SparseTensor logits) {
    Output values =
        scope
            .operation("SparseSoftmax")
            .input(logits.indices())
            .input(logits.values())
            .input(logits.shape())
            .buildOutput();
    return new SparseTensor(logits.indices(), values, logits.shape());
  }

  /**
   * The Levenshtein distance between the sequences in the last dimension, as a part of the true
   * sequence's length.
   */
  public Output editDistance(SparseTensor hypothesis, SparseTensor truth) {
    return scope
        .operation("EditDistance")
        .input(hypothesis.indices())
        .input(hypothesis.values())
        .input(hypothesis.shape())
        .input(truth.indices())
        .input(truth.values())
        .input(truth.shape())
        .buildOutput();
  }
}
