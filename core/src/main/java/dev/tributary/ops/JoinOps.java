package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.array.Axes;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Joining;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** Ops that put tensors beside each other and take them apart again. */
abstract sealed class JoinOps extends SliceOps permits ShapeOps {
  JoinOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Concat")
            .input("concat_dim: int32")
            .input("values: N * T")
            .output("output: T")
            .attr("N: int >= 2")
            .attr("T: type")
            .shape(c -> concatShape(c, 0, 1))
            .value(c -> concatValue(c, 1))
            .kernel(
                node ->
                    c -> {
                      IndexTensors.requireScalar(c.input(0), "concat_dim");
                      Joining.concat(c, 1, c.inputCount() - 1, c.input(0).getIndex(0));
                    })
            .grad(
                (tf, op, dy) -> {
                  List<GradientValue> gradients = new ArrayList<>();
                  gradients.add(GradientValue.none());
                  gradients.addAll(
                      tf.array.concatGradient(
                          dy, op.inputs().subList(1, op.inputs().size()), op.input(0)));
                  return gradients;
                }),
        op("ConcatV2")
            .input("values: N * T")
            .input("axis: Tidx")
            .output("output: T")
            .attr("N: int >= 2")
            .attr("T: type")
            .attr("Tidx: {int32, int64} = int32")
            .shape(c -> concatShape(c, c.inputCount() - 1, 0))
            .value(c -> concatValue(c, 0))
            .kernel(
                node ->
                    c -> {
                      int count = c.inputCount() - 1;
                      IndexTensors.requireScalar(c.input(count), "axis");
                      Joining.concat(c, 0, count, c.input(count).getIndex(0));
                    })
            .grad(
                (tf, op, dy) -> {
                  int count = op.inputs().size() - 1;
                  List<GradientValue> gradients =
                      new ArrayList<>(
                          tf.array.concatGradient(
                              dy, op.inputs().subList(0, count), op.input(count)));
                  gradients.add(GradientValue.none());
                  return gradients;
                }),
        op("ParallelConcat")
            .input("values: N * T")
            .output("output: T")
            .attr("N: int >= 1")
            .attr("T: type")
            .attr("shape: shape")
            .shape(JoinOps::parallelConcatShape)
            .kernel(
                node -> {
                  Shape shape = node.attributes().shape("shape");
                  return c -> {
                    requireRows(shape, c.inputCount(), i -> c.input(i).shape());
                    Joining.concat(c, 0, c.inputCount(), 0);
                  };
                })
            .notDifferentiable(),
        op("ConcatOffset")
            .input("concat_dim: int32")
            .input("shape: N * shape_type")
            .output("offset: N * shape_type")
            .attr("N: int >= 2")
            .attr("shape_type: {int32, int64} = int32")
            .shape(
                c -> {
                  c.withRank(0, 0);
                  for (int i = 0; i < c.outputCount(); i++) {
                    c.output(i, c.withRank(i + 1, 1));
                  }
                })
            .kernel(node -> Joining::offsets)
            .notDifferentiable(),
        op("Split")
            .input("split_dim: int32")
            .input("value: T")
            .output("output: num_split * T")
            .attr("num_split: int >= 1")
            .attr("T: type")
            .shape(JoinOps::splitShape)
            .kernel(
                node ->
                    c -> {
                      IndexTensors.requireScalar(c.input(0), "split_dim");
                      Joining.split(
                          c, c.input(1), c.input(0).getIndex(0), node.outputTypes().size());
                    })
            .gradAll(
                (tf, op, dy) -> List.of(GradientValue.none(), tf.array.concat(op.input(0), dy))),
        op("SplitV")
            .input("value: T")
            .input("size_splits: Tlen")
            .input("split_dim: int32")
            .output("output: num_split * T")
            .attr("num_split: int >= 1")
            .attr("T: type")
            .attr("Tlen: {int8, int32, int64} = int64")
            .shape(JoinOps::splitVShape)
            .kernel(
                node ->
                    c -> {
                      IndexTensors.requireScalar(c.input(2), "split_dim");
                      long[] sizes =
                          IndexTensors.vector(c.input(1), "size_splits", node.outputTypes().size());
                      Joining.splitV(c, c.input(0), c.input(2).getIndex(0), sizes);
                    })
            .gradAll(
                (tf, op, dy) ->
                    List.of(
                        tf.array.concat(op.input(2), dy),
                        GradientValue.none(),
                        GradientValue.none())),
        op("Pack")
            .input("values: N * T")
            .output("output: T")
            .attr("N: int >= 1")
            .attr("T: type")
            .attr("axis: int = 0")
            .shape(JoinOps::packShape)
            .value(JoinOps::packValue)
            .kernel(
                node -> {
                  long axis = node.attributes().integer("axis");
                  return c -> Joining.pack(c, axis);
                })
            .grad(
                (tf, op, dy) ->
                    tf.array.unpack(dy, op.inputs().size(), op.attributes().integer("axis"))),
        op("Unpack")
            .input("value: T")
            .output("output: num * T")
            .attr("num: int >= 0")
            .attr("T: type")
            .attr("axis: int = 0")
            .shape(JoinOps::unpackShape)
            .kernel(
                node -> {
                  int count = node.outputTypes().size();
                  long axis = node.attributes().integer("axis");
                  return c -> Joining.unpack(c, count, axis);
                })
            .gradAll((tf, op, dy) -> List.of(tf.array.pack(dy, op.attributes().integer("axis")))));
  }

  /** The tensors joined along an axis that they have. */
  public Output concat(Operand axis, List<? extends Operand> values) {
    if (values.size() == 1) {
      return scope.operation("Identity").input(values.get(0)).buildOutput();
    }
    return scope.operation("ConcatV2").inputList(values).input(axis).buildOutput();
  }

  Output concat(int axis, List<? extends Operand> values) {
    return concat(constant(axis), values);
  }

  Output concat(int axis, Operand... values) {
    return concat(axis, List.of(values));
  }

  /**
   * Returns where each of the tensors of these shapes begins when they are joined along an axis.
   */
  public List<Output> concatOffset(Operand axis, List<? extends Operand> shapes) {
    return scope.operation("ConcatOffset").input(axis).inputList(shapes).build().outputs();
  }

  List<Output> split(Operand value, int count, int axis) {
    return scope
        .operation("Split")
        .input(constant(axis))
        .input(value)
        .attr("num_split", count)
        .build()
        .outputs();
  }

  /** Parts of the given sizes along an axis; one size may be -1 for what is left over. */
  public List<Output> splitV(Operand value, int axis, long... sizes) {
    Output sizeSplits =
        scope
            .operation("Const")
            .attrTaking("value", Tensor.of(sizes))
            .attr("dtype", DataType.INT64)
            .buildOutput();
    return scope
        .operation("SplitV")
        .input(value)
        .input(sizeSplits)
        .input(constant(axis))
        .attr("num_split", sizes.length)
        .build()
        .outputs();
  }

  /** Tensors of one shape beside each other along a new axis. */
  public Output pack(List<? extends Operand> values, long axis) {
    return scope.operation("Pack").inputList(values).attr("axis", axis).buildOutput();
  }

  Output stack(Operand... values) {
    return pack(List.of(values), 0);
  }

  /** The {@code count} tensors that lie beside each other along an axis, which vanishes. */
  public List<Output> unpack(Operand value, int count, long axis) {
    return scope
        .operation("Unpack")
        .input(value)
        .attr("num", count)
        .attr("axis", axis)
        .build()
        .outputs();
  }

  List<Output> unstack(Operand value, int axis) {
    Shape shape = value.asOutput().shape();
    long count = shape.hasRank() ? shape.size(Axes.resolve(axis, shape.rank())) : Shape.UNKNOWN;
    if (count == Shape.UNKNOWN) {
      throw TributaryException.invalidArgument(
          "the size of axis %d of %s must be known to unstack it", axis, value);
    }
    return unpack(value, Math.toIntExact(count), axis);
  }

  List<Output> concatGradient(Operand dy, List<? extends Operand> values, Operand axis) {
    Output narrow =
        axis.asOutput().type() == DataType.INT32
            ? axis.asOutput()
            : scope.operation("Cast").input(axis).attr("DstT", DataType.INT32).buildOutput();
    List<Output> shapes = scope.operation("ShapeN").inputList(values).build().outputs();
    List<Output> offsets = concatOffset(narrow, shapes);
    List<Output> parts = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      parts.add(
          scope
              .operation("Slice")
              .input(dy)
              .input(offsets.get(i))
              .input(shapes.get(i))
              .buildOutput());
    }
    return parts;
  }

  private Output constant(int value) {
    return scope
        .operation("Const")
        .attrTaking("value", Tensor.scalar(value))
        .attr("dtype", DataType.INT32)
        .buildOutput();
  }

  /** Values of one row each, and their shape together, which must be known. */
  private static void parallelConcatShape(InferenceContext context) {
    Shape shape = context.attributes().shape("shape");
    requireRows(shape, context.inputCount(), context::input);
    context.output(0, shape);
  }

  private static void requireRows(Shape shape, int count, IntFunction<Shape> value) {
    if (!shape.isFullyDefined() || shape.rank() < 1 || shape.size(0) != count) {
      throw TributaryException.invalidArgument(
          "attribute 'shape' must be fully known and begin with %d, the number of values, got %s",
          count, shape);
    }
    Shape row = shape.withSize(0, 1);
    for (int i = 0; i < count; i++) {
      if (!value.apply(i).isCompatibleWith(row)) {
        throw TributaryException.invalidArgument(
            "value %d must have shape %s, got %s", i, row, value.apply(i));
      }
    }
  }

  private static void concatShape(InferenceContext context, int axisInput, int first) {
    context.withRank(axisInput, 0);
    List<Shape> shapes = new ArrayList<>();
    for (int i = 0; i < context.inputCount() - 1; i++) {
      shapes.add(context.input(first + i));
    }
    Optional<KnownValue> axis = context.known(axisInput).filter(KnownValue::isComplete);
    if (axis.isPresent()) {
      context.output(0, Joining.concatenated(shapes, axis.get().elements()[0]));
      return;
    }
    shapes.stream()
        .filter(Shape::hasRank)
        .findFirst()
        .ifPresent(s -> context.output(0, Shape.ofRank(s.rank())));
  }

  private static Optional<KnownValue> concatValue(InferenceContext context, int first) {
    List<Long> elements = new ArrayList<>();
    for (int i = first; i < first + context.inputCount() - 1; i++) {
      Optional<KnownValue> part = KnownValues.of(context, i).filter(value -> !value.isScalar());
      if (part.isEmpty()) {
        return Optional.empty();
      }
      for (long element : part.get().elements()) {
        elements.add(element);
      }
    }
    return KnownValues.vector(elements.stream().mapToLong(Long::longValue).toArray());
  }

  private static void splitShape(InferenceContext context) {
    context.withRank(0, 0);
    Shape value = context.withRankAtLeast(1, 1);
    Optional<KnownValue> axis = context.known(0).filter(KnownValue::isComplete);
    if (!value.hasRank()) {
      return;
    }
    Shape part = Shape.ofRank(value.rank());
    if (axis.isPresent()) {
      int at = Axes.resolve(axis.get().elements()[0], value.rank());
      part = value.withSize(at, Joining.equalPart(value.size(at), context.outputCount()));
    }
    for (int i = 0; i < context.outputCount(); i++) {
      context.output(i, part);
    }
  }

  private static void splitVShape(InferenceContext context) {
    Shape value = context.withRankAtLeast(0, 1);
    context.withRank(1, 1);
    Optional<KnownValue> sizes = context.known(1).filter(KnownValue::isComplete);
    Optional<KnownValue> axis = context.known(2).filter(KnownValue::isComplete);
    if (!value.hasRank()) {
      return;
    }
    int at = axis.isPresent() ? Axes.resolve(axis.get().elements()[0], value.rank()) : -1;
    for (int i = 0; i < context.outputCount(); i++) {
      context.output(i, at < 0 ? Shape.ofRank(value.rank()) : value.withSize(at, Shape.UNKNOWN));
    }
    if (at >= 0 && sizes.isPresent() && value.size(at) != Shape.UNKNOWN) {
      long[] filled = Joining.splitSizes(sizes.get().elements(), value.size(at));
      for (int i = 0; i < Math.min(filled.length, context.outputCount()); i++) {
        context.output(i, value.withSize(at, filled[i]));
      }
    }
  }

  private static void packShape(InferenceContext context) {
    Shape part = context.input(0);
    for (int i = 1; i < context.inputCount(); i++) {
      if (!part.isCompatibleWith(context.input(i))) {
        throw TributaryException.invalidArgument(
            "all values must have one shape: value %d has %s, those before it %s",
            i, context.input(i), part);
      }
      part = part.merge(context.input(i));
    }
    if (part.hasRank()) {
      int at = Axes.resolve(context.attributes().integer("axis"), part.rank() + 1);
      Shape count = Shape.of(context.inputCount());
      context.output(
          0, part.slice(0, at).concatenate(count).concatenate(part.slice(at, part.rank())));
    }
  }

  private static Optional<KnownValue> packValue(InferenceContext context) {
    long[] elements = new long[context.inputCount()];
    for (int i = 0; i < elements.length; i++) {
      Optional<KnownValue> part = KnownValues.of(context, i).filter(KnownValue::isScalar);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      elements[i] = part.get().elements()[0];
    }
    return KnownValues.vector(elements);
  }

  private static void unpackShape(InferenceContext context) {
    Shape value = context.withRankAtLeast(0, 1);
    if (!value.hasRank()) {
      return;
    }
    int at = Axes.resolve(context.attributes().integer("axis"), value.rank());
    if (!Shape.of(value.size(at)).isCompatibleWith(Shape.of(context.outputCount()))) {
      throw TributaryException.invalidArgument(
          "axis %d of the input, of shape %s, must have size %d", at, value, context.outputCount());
    }
    Shape part = value.slice(0, at).concatenate(value.slice(at + 1, value.rank()));
    for (int i = 0; i < context.outputCount(); i++) {
      context.output(i, part);
    }
  }
}
