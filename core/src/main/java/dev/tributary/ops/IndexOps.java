package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.array.Axes;
import dev.tributary.internal.kernel.array.Gathering;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.ListDifference;
import dev.tributary.internal.kernel.array.Locating;
import dev.tributary.internal.kernel.array.Scattering;
import dev.tributary.internal.kernel.array.Unique;
import dev.tributary.internal.kernel.array.Unravelling;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/** Ops that gather and scatter parts of tensors by index, and those that make indices. */
abstract sealed class IndexOps extends ScatterNdOps permits SliceOps {
  IndexOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Gather")
            .input("params: Tparams")
            .input("indices: Tindices")
            .output("output: Tparams")
            .attr("validate_indices: bool = true")
            .attr("Tparams: type")
            .attr("Tindices: {int32, int64}")
            .shape(
                c -> {
                  Shape params = c.withRankAtLeast(0, 1);
                  if (params.hasRank()) {
                    c.output(0, c.input(1).concatenate(params.slice(1, params.rank())));
                  }
                })
            .value(c -> gatherValue(c, 0, 0))
            .kernel(node -> c -> Gathering.gather(c, 0, 0))
            .grad((tf, op, dy) -> List.of(tf.array.slicesOf(op, dy), GradientValue.none())),
        op("GatherV2")
            .input("params: Tparams")
            .input("indices: Tindices")
            .input("axis: Taxis")
            .output("output: Tparams")
            .attr("batch_dims: int = 0")
            .attr("Tparams: type")
            .attr("Tindices: {int16, int32, int64}")
            .attr("Taxis: {int32, int64}")
            .shape(IndexOps::gatherShape)
            .value(
                c -> {
                  long batchDims = c.attributes().integer("batch_dims");
                  return KnownValues.complete(c, 2)
                      .flatMap(axis -> gatherValue(c, axis[0], batchDims));
                })
            .kernel(
                node -> {
                  long batchDims = node.attributes().integer("batch_dims");
                  return c -> {
                    IndexTensors.requireScalar(c.input(2), "axis");
                    Gathering.gather(c, c.input(2).getIndex(0), batchDims);
                  };
                })
            .grad(
                (tf, op, dy) -> {
                  boolean rows =
                      isConstantZero(op.input(2)) && op.attributes().integer("batch_dims") == 0;
                  GradientValue params =
                      rows ? tf.array.slicesOf(op, dy) : AxisGatherGradient.of(tf, op, dy);
                  return List.of(params, GradientValue.none(), GradientValue.none());
                }),
        op("GatherNd")
            .input("params: Tparams")
            .input("indices: Tindices")
            .output("output: Tparams")
            .attr("Tparams: type")
            .attr("Tindices: {int16, int32, int64}")
            .attr("bad_indices_policy: string = ''")
            .shape(
                c -> {
                  if (c.input(1).hasRank()) {
                    c.output(0, Gathering.gatheredNd(c.input(0), c.input(1)));
                  }
                })
            .kernel(
                node -> {
                  boolean ignoreBad = Scattering.ignoresBadIndices(node.attributes());
                  return c -> Gathering.gatherNd(c, c.input(0), c.input(1), ignoreBad);
                })
            .grad((tf, op, dy) -> List.of(tf.array.gatherNdGradient(op, dy), GradientValue.none())),
        op("ScatterNd")
            .input("indices: Tindices")
            .input("updates: T")
            .input("shape: Tindices")
            .output("output: T")
            .attr("T: type")
            .attr("Tindices: {int16, int32, int64}")
            .attr("bad_indices_policy: string = ''")
            .shape(
                c -> {
                  Shape shape =
                      KnownValues.of(c, 2)
                          .map(KnownValue::toShape)
                          .orElseGet(() -> c.knownShape(2));
                  if (c.input(0).hasRank() && shape.hasRank()) {
                    requireCompatible(c.input(1), Gathering.gatheredNd(shape, c.input(0)));
                  }
                  c.output(0, shape);
                })
            .kernel(Scattering::intoZeros)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        GradientValue.none(),
                        tf.array.gatherNd(dy, op.input(0)),
                        GradientValue.none())),
        op("OneHot")
            .input("indices: TI")
            .input("depth: int32")
            .input("on_value: T")
            .input("off_value: T")
            .output("output: T")
            .attr("axis: int = -1")
            .attr("T: type")
            .attr("TI: {uint8, int8, int32, int64} = int64")
            .shape(
                c -> {
                  if (c.input(0).hasRank()) {
                    long depth = KnownValues.complete(c, 1).map(d -> d[0]).orElse(Shape.UNKNOWN);
                    c.output(
                        0, Locating.oneHotShape(c.input(0), depth, c.attributes().integer("axis")));
                  }
                })
            .kernel(
                node -> {
                  long axis = node.attributes().integer("axis");
                  return c -> Locating.oneHot(c, axis);
                })
            .notDifferentiable(),
        op("Where")
            .input("input: T")
            .output("index: int64")
            .attr(
                "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8,"
                    + " qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32,"
                    + " uint64, bool} = bool")
            .shape(c -> c.output(0, Shape.of(Shape.UNKNOWN, c.input(0).rank())))
            .kernel(node -> Locating::where)
            .notDifferentiable(),
        op("Unique")
            .input("x: T")
            .output("y: T")
            .output("idx: out_idx")
            .attr("T: type")
            .attr("out_idx: {int32, int64} = int32")
            .shape(
                c -> {
                  c.output(0, Shape.of(Shape.UNKNOWN));
                  c.output(1, c.withRank(0, 1));
                })
            .kernel(node -> Unique.kernel(node.type()))
            .notDifferentiable(),
        op("InvertPermutation")
            .input("x: T")
            .output("y: T")
            .attr("T: {int32, int64} = int32")
            .shape(c -> c.output(0, c.withRank(0, 1)))
            .kernel(node -> Locating::invertPermutation)
            .notDifferentiable(),
        op("ListDiff")
            .input("x: T")
            .input("y: T")
            .output("out: T")
            .output("idx: out_idx")
            .attr("T: type")
            .attr("out_idx: {int32, int64} = int32")
            .shape(
                c -> {
                  c.withRank(0, 1);
                  c.withRank(1, 1);
                  c.output(0, Shape.of(Shape.UNKNOWN));
                  c.output(1, Shape.of(Shape.UNKNOWN));
                })
            .kernel(
                node -> {
                  Unique.requireType(node.type());
                  return ListDifference::compute;
                })
            .notDifferentiable(),
        op("UnravelIndex")
            .input("indices: Tidx")
            .input("dims: Tidx")
            .output("output: Tidx")
            .attr("Tidx: {int32, int64} = int32")
            .shape(
                c -> {
                  long rank = c.withRank(1, 1).size(0);
                  c.output(0, Shape.of(rank).concatenate(c.input(0)));
                })
            .kernel(node -> Unravelling::unravel)
            .notDifferentiable());
  }

  Output gather(Operand params, Operand indices) {
    return gather(params, indices, 0);
  }

  Output gather(Operand params, Operand indices, int axis) {
    return gather(params, indices, axis, 0);
  }

  /** The same for each of the batches that the leading dimensions of both hold. */
  public Output gather(Operand params, Operand indices, int axis, int batchDims) {
    return scope
        .operation("GatherV2")
        .input(params)
        .input(indices)
        .input(constant(axis))
        .attr("batch_dims", batchDims)
        .buildOutput();
  }

  /** The shape that the index vectors in the last dimension of {@code indices} name. */
  public Output gatherNd(Operand params, Operand indices) {
    return scope.operation("GatherNd").input(params).input(indices).buildOutput();
  }

  /**
   * The updates, each added into zeros of the given shape at the place that its index vector names.
   */
  public Output scatterNd(Operand indices, Operand updates, Operand shape) {
    return scope.operation("ScatterNd").input(indices).input(updates).input(shape).buildOutput();
  }

  Output oneHot(Operand indices, int depth) {
    return oneHot(indices, depth, constant(Tensor.scalar(1f)), constant(Tensor.scalar(0f)), -1);
  }

  public Output oneHot(Operand indices, int depth, Operand on, Operand off, int axis) {
    return scope
        .operation("OneHot")
        .input(indices)
        .input(constant(depth))
        .input(on)
        .input(off)
        .attr("axis", axis)
        .buildOutput();
  }

  Output where(Operand input) {
    return scope.operation("Where").input(input).buildOutput();
  }

  /**
   * The different elements of a vector (output 0), and which of them each element is (output 1).
   */
  public List<Output> unique(Operand x) {
    return scope.operation("Unique").input(x).build().outputs();
  }

  public Output invertPermutation(Operand x) {
    return scope.operation("InvertPermutation").input(x).buildOutput();
  }

  /** The elements of a vector that another one does not have (0), and where they are (1). */
  public List<Output> listDiff(Operand x, Operand y) {
    return scope.operation("ListDiff").input(x).input(y).build().outputs();
  }

  /** The coordinates of numbered elements of a tensor with sizes {@code dims}, one in a column. */
  public Output unravelIndex(Operand indices, Operand dims) {
    return scope.operation("UnravelIndex").input(indices).input(dims).buildOutput();
  }

  private Output constant(int value) {
    return constant(Tensor.scalar(value));
  }

  /** Takes over the tensor. */
  private Output constant(Tensor value) {
    return scope
        .operation("Const")
        .attrTaking("value", value)
        .attr("dtype", value.type())
        .buildOutput();
  }

  /** The gradient of the rows of a Gather along the first axis. */
  IndexedSlices slicesOf(Operation gather, Operand dy) {
    Ops tf = new Ops(scope);
    Output shape = tf.shape(gather.input(0));
    Output indices = gather.input(1);
    Output count = tf.expandDims(tf.size(indices), 0);
    Output row = tf.slice(shape, new int[] {1}, new int[] {-1});
    Output values = tf.reshape(dy, tf.concat(0, count, row));
    return new IndexedSlices(values, tf.reshape(indices, count), shape);
  }

  GradientValue gatherNdGradient(Operation gather, Operand dy) {
    Ops tf = new Ops(scope);
    Output indices = gather.input(1);
    Output shape = tf.array.shape(gather.input(0), indices.type());
    if (indices.shape().rank() == 2 && indices.shape().size(1) == 1) {
      return new IndexedSlices(dy.asOutput(), tf.squeeze(indices, -1), shape);
    }
    if (indices.shape().rank() == 1) {
      // A ScatterNd would take the elements of a lone index vector for several.
      return scatterNd(tf.expandDims(indices, 0), tf.expandDims(dy, 0), shape);
    }
    return scatterNd(indices, dy, shape);
  }

  private static boolean isConstantZero(Output axis) {
    return axis.operation().knownValue().filter(v -> v.elements()[0] == 0).isPresent();
  }

  static void requireCompatible(Shape updates, Shape wanted) {
    if (!updates.isCompatibleWith(wanted)) {
      throw TributaryException.invalidArgument(
          "updates must have shape %s, got %s", wanted, updates);
    }
  }

  private static void gatherShape(InferenceContext context) {
    Shape params = context.withRankAtLeast(0, 1);
    Shape indices = context.input(1);
    context.withRank(2, 0);
    if (!params.hasRank() || !indices.hasRank()) {
      return;
    }
    int batchDims = Gathering.batchDims(context.attributes().integer("batch_dims"), indices.rank());
    Optional<long[]> axis = KnownValues.complete(context, 2);
    if (axis.isPresent()) {
      context.output(
          0,
          Gathering.gathered(
              params, indices, Axes.resolve(axis.get()[0], params.rank()), batchDims));
    } else {
      context.output(0, Shape.ofRank(params.rank() - 1 + indices.rank() - batchDims));
    }
  }

  private static Optional<KnownValue> gatherValue(
      InferenceContext context, long axis, long batchDims) {
    Optional<KnownValue> params = context.known(0).filter(value -> !value.isScalar());
    Optional<KnownValue> indices = context.known(1).filter(KnownValue::isComplete);
    if (params.isEmpty() || indices.isEmpty() || axis != 0 || batchDims != 0) {
      return Optional.empty();
    }
    long[] elements = params.get().elements();
    long[] picked = indices.get().elements().clone();
    for (int i = 0; i < picked.length; i++) {
      if (picked[i] < 0 || picked[i] >= elements.length) {
        return Optional.empty();
      }
      picked[i] = elements[(int) picked[i]];
    }
    return Optional.of(new KnownValue(indices.get().isScalar(), picked))
        .filter(KnownValues::saysSomething);
  }
}
