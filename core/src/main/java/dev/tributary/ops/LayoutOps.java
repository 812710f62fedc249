package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.array.Layouts;
import dev.tributary.internal.kernel.array.Mirroring;
import dev.tributary.internal.kernel.array.Padding;
import dev.tributary.internal.kernel.math.TileGradKernel;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Ops that turn, repeat, reverse and pad whole tensors. */
abstract sealed class LayoutOps extends RollOps permits ScatterNdOps {
  LayoutOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Transpose")
            .flag(OpFlag.PERMUTES)
            .input("x: T")
            .input("perm: Tperm")
            .output("y: T")
            .attr("T: type")
            .attr("Tperm: {int32, int64} = int32")
            .shape(c -> fromVector(c, Layouts::transposed))
            .kernel(node -> Layouts::transpose)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        tf.array.transpose(dy, tf.array.invertPermutation(op.input(1))),
                        GradientValue.none())),
        op("ConjugateTranspose")
            .input("x: T")
            .input("perm: Tperm")
            .output("y: T")
            .attr("T: type")
            .attr("Tperm: {int32, int64} = int32")
            .shape(c -> fromVector(c, Layouts::transposed))
            .kernel(node -> Layouts::conjugateTranspose)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        tf.array.conjugateTranspose(dy, tf.array.invertPermutation(op.input(1))),
                        GradientValue.none())),
        op("Tile")
            .input("input: T")
            .input("multiples: Tmultiples")
            .output("output: T")
            .attr("T: type")
            .attr("Tmultiples: {int32, int64} = int32")
            .shape(c -> fromVector(c, Layouts::tiled))
            .kernel(node -> Layouts::tile)
            .grad(LayoutOps::tileGradient),
        op("BroadcastTo")
            .input("input: T")
            .input("shape: Tidx")
            .output("output: T")
            .attr("T: type")
            .attr("Tidx: {int32, int64} = int32")
            .shape(LayoutOps::broadcastShape)
            .kernel(node -> Layouts::broadcast)
            .grad(LayoutOps::broadcastGradient),
        op("ReverseV2")
            .input("tensor: T")
            .input("axis: Tidx")
            .output("output: T")
            .attr("Tidx: {int32, int64} = int32")
            .attr(
                "T: {uint8, int8, uint16, int16, int32, uint32, int64, uint64, bool, bfloat16,"
                    + " half, float, double, complex64, complex128, string}")
            .shape(
                c -> {
                  c.withRank(1, 1);
                  ShapeRules.unchanged(c);
                })
            .kernel(node -> Layouts::reverse)
            .grad((tf, op, dy) -> List.of(tf.array.reverse(dy, op.input(1)), GradientValue.none())),
        op("Reverse")
            .input("tensor: T")
            .input("dims: bool")
            .output("output: T")
            .attr(
                "T: {uint8, int8, uint16, int16, uint32, int32, uint64, int64, bool, bfloat16,"
                    + " half, float, double, complex64, complex128, string}")
            .shape(
                c -> {
                  long marks = c.withRank(1, 1).size(0);
                  Shape whole =
                      marks == Shape.UNKNOWN ? Shape.unknown() : Shape.ofRank((int) marks);
                  c.output(0, c.input(0).merge(whole));
                })
            .kernel(node -> Layouts::reverseMarked)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        tf.scope().operation("Reverse").input(dy).input(op.input(1)).buildOutput(),
                        GradientValue.none())),
        op("TileGrad")
            .input("input: T")
            .input("multiples: int32")
            .output("output: T")
            .attr("T: type")
            .deprecated(3, "TileGrad has been replaced with reduce_sum")
            .shape(c -> fromVector(c, TileGradKernel::tile))
            .kernel(TileGradKernel::new)
            .notDifferentiable(),
        op("Pad")
            .input("input: T")
            .input("paddings: Tpaddings")
            .output("output: T")
            .attr("T: type")
            .attr("Tpaddings: {int32, int64} = int32")
            .shape(c -> padShape(c, Padding::padded))
            .kernel(node -> Padding::pad)
            .grad((tf, op, dy) -> List.of(unpad(tf, op, dy), GradientValue.none())),
        op("PadV2")
            .input("input: T")
            .input("paddings: Tpaddings")
            .input("constant_values: T")
            .output("output: T")
            .attr("T: type")
            .attr("Tpaddings: {int32, int64} = int32")
            .shape(c -> padShape(c, Padding::padded))
            .kernel(node -> Padding::pad)
            .grad(
                (tf, op, dy) ->
                    List.of(unpad(tf, op, dy), GradientValue.none(), GradientValue.none())),
        op("MirrorPad")
            .input("input: T")
            .input("paddings: Tpaddings")
            .output("output: T")
            .attr("T: type")
            .attr("Tpaddings: {int32, int64} = int32")
            .attr("mode: {'REFLECT', 'SYMMETRIC'}")
            .shape(c -> padShape(c, Padding::padded))
            .kernel(
                node -> {
                  int distance = Mirroring.distance(node.attributes().string("mode"));
                  return c -> Mirroring.pad(c, distance);
                })
            .grad(
                (tf, op, dy) ->
                    List.of(tf.array.mirror("MirrorPadGrad", op, dy), GradientValue.none())),
        op("MirrorPadGrad")
            .input("input: T")
            .input("paddings: Tpaddings")
            .output("output: T")
            .attr("T: type")
            .attr("Tpaddings: {int32, int64} = int32")
            .attr("mode: {'REFLECT', 'SYMMETRIC'}")
            .shape(c -> padShape(c, Padding::unpadded))
            .kernel(
                node -> {
                  int distance = Mirroring.distance(node.attributes().string("mode"));
                  return c -> Mirroring.padGradient(c, distance);
                })
            .grad(
                (tf, op, dy) ->
                    List.of(tf.array.mirror("MirrorPad", op, dy), GradientValue.none())));
  }

  /**
   * The tensor with its dimensions in another order: number {@code i} of the result is {@code
   * perm[i]} of the input.
   */
  public Output transpose(Operand x, Operand perm) {
    return scope.operation("Transpose").input(x).input(perm).buildOutput();
  }

  /** The same with complex elements conjugated. */
  public Output conjugateTranspose(Operand x, Operand perm) {
    return scope.operation("ConjugateTranspose").input(x).input(perm).buildOutput();
  }

  Output transpose(Operand x, int... perm) {
    return transpose(x, constant(Tensor.of(perm)));
  }

  /** The tensor repeated {@code multiples[i]} times along dimension {@code i}. */
  public Output tile(Operand input, Operand multiples) {
    return scope.operation("Tile").input(input).input(multiples).buildOutput();
  }

  public Output tile(Operand input, int... multiples) {
    return tile(input, constant(Tensor.of(multiples)));
  }

  public Output broadcastTo(Operand input, Operand shape) {
    return scope.operation("BroadcastTo").input(input).input(shape).buildOutput();
  }

  public Output broadcastTo(Operand input, Shape shape) {
    return broadcastTo(input, constant(Tensor.of(shape.toArray())));
  }

  /** The tensor backwards along some axes. */
  public Output reverse(Operand tensor, Operand axes) {
    return scope.operation("ReverseV2").input(tensor).input(axes).buildOutput();
  }

  public Output reverse(Operand tensor, int... axes) {
    return reverse(tensor, constant(Tensor.of(axes)));
  }

  /**
   * The tensor with zeros around it: a row of {@code paddings} says how many before and behind a
   * dimension.
   */
  public Output pad(Operand input, Operand paddings) {
    return scope.operation("Pad").input(input).input(paddings).buildOutput();
  }

  public Output pad(Operand input, int[][] paddings) {
    return pad(input, matrix(paddings));
  }

  /** The tensor with a value around it. */
  public Output pad(Operand input, int[][] paddings, Operand value) {
    return scope.operation("PadV2").input(input).input(matrix(paddings)).input(value).buildOutput();
  }

  /** The tensor with its mirror image around it. */
  public Output mirrorPad(Operand input, int[][] paddings, MirrorMode mode) {
    return scope
        .operation("MirrorPad")
        .input(input)
        .input(matrix(paddings))
        .attr("mode", mode.name())
        .buildOutput();
  }

  Output mirror(String type, Operation like, Operand value) {
    String mode = like.attributes().string("mode");
    return scope.operation(type).input(value).input(like.input(1)).attr("mode", mode).buildOutput();
  }

  private Output matrix(int[][] rows) {
    int[] flat = new int[2 * rows.length];
    for (int i = 0; i < rows.length; i++) {
      flat[2 * i] = rows[i][0];
      flat[2 * i + 1] = rows[i][1];
    }
    return constant(Tensor.of(Shape.of(rows.length, 2), flat));
  }

  /** Takes over the tensor. */
  private Output constant(Tensor value) {
    return scope
        .operation("Const")
        .attrTaking("value", value)
        .attr("dtype", value.type())
        .buildOutput();
  }

  /** The rule of an op that a vector with one entry a dimension tells what to do. */
  private static void fromVector(
      InferenceContext context, BiFunction<Shape, long[], Shape> result) {
    Shape input = context.input(0);
    long entries = context.withRank(1, 1).size(0);
    Optional<long[]> known = KnownValues.complete(context, 1);
    int rank = input.hasRank() ? input.rank() : (int) entries;
    if (known.isPresent()) {
      context.output(0, result.apply(input.hasRank() ? input : Shape.ofRank(rank), known.get()));
    } else if (rank >= 0) {
      context.output(0, Shape.ofRank(rank));
    }
  }

  private static void broadcastShape(InferenceContext context) {
    Shape shape = context.knownShape(1);
    if (shape.hasRank() && context.input(0).hasRank()) {
      Layouts.requireBroadcast(context.input(0), shape);
    }
    context.output(0, shape);
  }

  private static void padShape(InferenceContext context, BiFunction<Padding, Shape, Shape> result) {
    Shape paddings = context.withRank(1, 2);
    Shape input = context.input(0);
    int rank = input.hasRank() ? input.rank() : (int) paddings.size(0);
    if (rank < 0) {
      return;
    }
    Optional<Tensor> known = context.constant(1);
    Shape shape = input.hasRank() && known.isPresent() ? input : Shape.ofRank(rank);
    context.output(
        0, known.isPresent() ? result.apply(Padding.of(known.get(), rank), shape) : shape);
  }

  private static List<GradientValue> tileGradient(Ops tf, Operation op, Output dy) {
    Scope scope = tf.scope();
    Output multiples = op.input(1);
    Output shape = tf.array.shape(op.input(0), multiples.type());
    Output split = tf.reshape(tf.array.pack(List.of(multiples, shape), 1), -1);
    Output axes =
        scope
            .operation("Range")
            .input(tf.constant(0))
            .input(tf.size(split))
            .input(tf.constant(2))
            .buildOutput();
    Output sum = scope.operation("Sum").input(tf.reshape(dy, split)).input(axes).buildOutput();
    return List.of(sum, GradientValue.none());
  }

  private static List<GradientValue> broadcastGradient(Ops tf, Operation op, Output dy) {
    Output shape = tf.array.shape(op.input(0), op.input(1).type());
    Output axes = tf.array.broadcastGradientArgs(op.input(1), shape).get(1);
    Output sum =
        tf.scope().operation("Sum").input(dy).input(axes).attr("keep_dims", true).buildOutput();
    return List.of(tf.reshape(sum, shape), GradientValue.none());
  }

  private static Output unpad(Ops tf, Operation op, Output dy) {
    Output paddings = op.input(1);
    DataType type = paddings.type();
    Output before = tf.slice(paddings, new int[] {0, 0}, new int[] {-1, 1});
    return tf.array.slice(dy, tf.reshape(before, -1), tf.array.shape(op.input(0), type));
  }
}
