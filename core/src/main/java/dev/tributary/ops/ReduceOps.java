package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.loop.Folds;
import dev.tributary.internal.kernel.loop.ReductionShape;
import dev.tributary.internal.kernel.math.ArgReduceKernel;
import dev.tributary.internal.kernel.math.EuclideanNormKernel;
import dev.tributary.internal.kernel.math.ReduceKernel;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Folds over axes. Methods which take {@code int... axes} fold over all axes if none is given. */
abstract sealed class ReduceOps extends SegmentOps permits CompareOps {
  private static final String AXES = "Tidx: {int32, int64} = int32";

  ReduceOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        reduction("Sum", ReduceKernel.of(Folds.SUM)).grad(ReduceGradients::sum),
        reduction("Mean", ReduceKernel.mean()).grad(ReduceGradients::mean),
        reduction("Prod", ReduceKernel.of(Folds.PRODUCT))
            .value(ReduceOps::knownProduct)
            .grad(ReduceGradients::product),
        reduction("EuclideanNorm", EuclideanNormKernel::new).grad(ReduceGradients::norm),
        extremum("Max", ReduceKernel.of(Folds.MAXIMUM)),
        extremum("Min", ReduceKernel.of(Folds.MINIMUM)),
        fold("All", "bool", ReduceKernel.of(Folds.ALL)).attr(AXES).notDifferentiable(),
        fold("Any", "bool", ReduceKernel.of(Folds.ANY)).attr(AXES).notDifferentiable(),
        position(
                "ArgMax",
                "Tidx: {int16, int32, int64} = int32",
                "output_type: {int16, uint16, int32, int64} = int64")
            .kernel(node -> new ArgReduceKernel(false))
            .notDifferentiable(),
        position("ArgMin", AXES, "output_type: {int32, int64} = int64")
            .kernel(node -> new ArgReduceKernel(true))
            .notDifferentiable());
  }

  private static Declaration reduction(String name, KernelFactory kernel) {
    return fold(name, "T", kernel).attr(TypeSpecs.NUMBER).attr(AXES);
  }

  private static OpDeclaration extremum(String name, KernelFactory kernel) {
    return fold(name, "T", kernel)
        .attr(TypeSpecs.ORDERED_OR_QUANTIZED)
        .attr(AXES)
        .grad(ReduceGradients::extremum);
  }

  /** A fold, to which the attributes of its types are still to be added. */
  private static Declaration fold(String name, String type, KernelFactory kernel) {
    return op(name)
        .input("input: " + type)
        .input("reduction_indices: Tidx")
        .output("output: " + type)
        .attr("keep_dims: bool = false")
        .shape(ReduceOps::reducedShape)
        .kernel(kernel);
  }

  private static Declaration position(String name, String axisTypes, String resultTypes) {
    return op(name)
        .input("input: T")
        .input("dimension: Tidx")
        .output("output: output_type")
        .attr(TypeSpecs.ORDERED_OR_QUANTIZED_OR_BOOL)
        .attr(axisTypes)
        .attr(resultTypes)
        .shape(ReduceOps::positionShape);
  }

  private static void positionShape(InferenceContext context) {
    Shape input = context.withRankAtLeast(0, 1);
    context.withRank(1, 0);
    Optional<KnownValue> axis = context.known(1).filter(KnownValue::isComplete);
    if (input.hasRank() && axis.isPresent()) {
      context.output(0, ReductionShape.result(input, axis.get().elements(), false));
    } else if (input.hasRank()) {
      context.output(0, Shape.ofRank(input.rank() - 1));
    }
  }

  private static void reducedShape(InferenceContext context) {
    Shape input = context.input(0);
    boolean keepDims = context.attributes().bool("keep_dims");
    Optional<KnownValue> axes = context.known(1).filter(KnownValue::isComplete);
    if (input.hasRank() && axes.isPresent()) {
      context.output(0, ReductionShape.result(input, axes.get().elements(), keepDims));
    } else if (input.hasRank() && keepDims) {
      context.output(0, Shape.ofRank(input.rank()));
    } else if (input.hasRank() && context.input(1).isFullyDefined()) {
      context.output(
          0, Shape.ofRank(Math.max(0, input.rank() - (int) context.input(1).elementCount())));
    }
  }

  private static Optional<KnownValue> knownProduct(InferenceContext context) {
    Optional<KnownValue> factors = context.known(0).filter(KnownValue::isComplete);
    boolean whole = context.known(1).filter(axes -> axes.elements().length == 1).isPresent();
    if (factors.isEmpty()
        || factors.get().isScalar()
        || !whole
        || context.attributes().bool("keep_dims")) {
      return Optional.empty();
    }
    long product = 1;
    for (long factor : factors.get().elements()) {
      product *= factor;
    }
    return Optional.of(KnownValue.scalar(product));
  }

  Output sum(Operand x, int... axes) {
    return sum(x, axes(x, axes), false);
  }

  Output sum(Operand x, boolean keepDims, int... axes) {
    return sum(x, axes(x, axes), keepDims);
  }

  public Output sum(Operand x, Operand axes, boolean keepDims) {
    return fold("Sum", x, axes, keepDims);
  }

  Output mean(Operand x, int... axes) {
    return mean(x, axes(x, axes), false);
  }

  Output mean(Operand x, boolean keepDims, int... axes) {
    return mean(x, axes(x, axes), keepDims);
  }

  public Output mean(Operand x, Operand axes, boolean keepDims) {
    return fold("Mean", x, axes, keepDims);
  }

  Output prod(Operand x, int... axes) {
    return prod(x, axes(x, axes), false);
  }

  Output prod(Operand x, boolean keepDims, int... axes) {
    return prod(x, axes(x, axes), keepDims);
  }

  public Output prod(Operand x, Operand axes, boolean keepDims) {
    return fold("Prod", x, axes, keepDims);
  }

  /** The roots of the sums of squares. */
  public Output euclideanNorm(Operand x, int... axes) {
    return euclideanNorm(x, axes(x, axes), false);
  }

  public Output euclideanNorm(Operand x, Operand axes, boolean keepDims) {
    return fold("EuclideanNorm", x, axes, keepDims);
  }

  Output max(Operand x, int... axes) {
    return max(x, axes(x, axes), false);
  }

  Output max(Operand x, boolean keepDims, int... axes) {
    return max(x, axes(x, axes), keepDims);
  }

  public Output max(Operand x, Operand axes, boolean keepDims) {
    return fold("Max", x, axes, keepDims);
  }

  Output min(Operand x, int... axes) {
    return min(x, axes(x, axes), false);
  }

  Output min(Operand x, boolean keepDims, int... axes) {
    return min(x, axes(x, axes), keepDims);
  }

  public Output min(Operand x, Operand axes, boolean keepDims) {
    return fold("Min", x, axes, keepDims);
  }

  public Output all(Operand x, int... axes) {
    return all(x, axes(x, axes), false);
  }

  /** With {@code keepDims}, folded dimensions stay with size 1. */
  public Output all(Operand x, boolean keepDims, int... axes) {
    return all(x, axes(x, axes), keepDims);
  }

  public Output all(Operand x, Operand axes, boolean keepDims) {
    return fold("All", x, axes, keepDims);
  }

  public Output any(Operand x, int... axes) {
    return any(x, axes(x, axes), false);
  }

  /** With {@code keepDims}, folded dimensions stay with size 1. */
  public Output any(Operand x, boolean keepDims, int... axes) {
    return any(x, axes(x, axes), keepDims);
  }

  public Output any(Operand x, Operand axes, boolean keepDims) {
    return fold("Any", x, axes, keepDims);
  }

  Output argMax(Operand x, int axis) {
    return argMax(x, axis, DataType.INT64);
  }

  public Output argMax(Operand x, int axis, DataType indexType) {
    return position("ArgMax", x, axis, indexType);
  }

  /** Returns where the least element lies along an axis, as int64. */
  public Output argMin(Operand x, int axis) {
    return argMin(x, axis, DataType.INT64);
  }

  public Output argMin(Operand x, int axis, DataType indexType) {
    return position("ArgMin", x, axis, indexType);
  }

  private Output position(String op, Operand x, int axis, DataType indexType) {
    Output dimension = new Ops(scope).constant(axis);
    return scope
        .operation(op)
        .input(x)
        .input(dimension)
        .attr("output_type", indexType)
        .buildOutput();
  }

  private Output fold(String op, Operand x, Operand axes, boolean keepDims) {
    return scope.operation(op).input(x).input(axes).attr("keep_dims", keepDims).buildOutput();
  }

  /** These axes, or all that x has if there are none. */
  private Output axes(Operand x, int... axes) {
    Ops tf = new Ops(scope);
    if (axes.length > 0) {
      return tf.constant(axes);
    }
    if (x.asOutput().shape().hasRank()) {
      return tf.constant(IntStream.range(0, x.asOutput().shape().rank()).toArray());
    }
    Output rank = tf.array.rank(x);
    return tf.range(tf.constant(0), rank, tf.constant(1));
  }
}
