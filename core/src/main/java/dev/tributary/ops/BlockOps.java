package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.array.BatchBlocks;
import dev.tributary.internal.kernel.array.Blocks;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Ops that move blocks of pixels into other dimensions, and back. */
abstract sealed class BlockOps permits RollOps {
  final Scope scope;

  BlockOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        images("DepthToSpace")
            .shape(c -> imageShape(c, Blocks::depthToSpace))
            .kernel(Blocks::depthToSpace)
            .grad((tf, op, dy) -> List.of(tf.array.spaceToDepth(dy, blockSize(op)))),
        images("SpaceToDepth")
            .shape(c -> imageShape(c, Blocks::spaceToDepth))
            .kernel(Blocks::spaceToDepth)
            .grad((tf, op, dy) -> List.of(tf.array.depthToSpace(dy, blockSize(op)))),
        op("SpaceToBatchND")
            .input("input: T")
            .input("block_shape: Tblock_shape")
            .input("paddings: Tpaddings")
            .output("output: T")
            .attr("T: type")
            .attr("Tblock_shape: {int32, int64} = int32")
            .attr("Tpaddings: {int32, int64} = int32")
            .shape(c -> batchShape(c, BatchBlocks::toBatch))
            .kernel(node -> BatchBlocks::spaceToBatch)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        tf.array.batchToSpace(dy, op.input(1), op.input(2)),
                        GradientValue.none(),
                        GradientValue.none())),
        op("BatchToSpaceND")
            .input("input: T")
            .input("block_shape: Tblock_shape")
            .input("crops: Tcrops")
            .output("output: T")
            .attr("T: type")
            .attr("Tblock_shape: {int32, int64} = int32")
            .attr("Tcrops: {int32, int64} = int32")
            .shape(c -> batchShape(c, BatchBlocks::toSpace))
            .kernel(node -> BatchBlocks::batchToSpace)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        tf.array.spaceToBatch(dy, op.input(1), op.input(2)),
                        GradientValue.none(),
                        GradientValue.none())),
        op("SpaceToBatch")
            .input("input: T")
            .input("paddings: Tpaddings")
            .output("output: T")
            .attr("T: type")
            .attr("Tpaddings: {int32, int64} = int32")
            .attr("block_size: int >= 2")
            .shape(c -> squareShape(c, BatchBlocks::toBatch))
            .kernel(BatchBlocks::squaresToBatch)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        SameAttributes.output(tf, op, "BatchToSpace", dy, op.input(1)),
                        GradientValue.none())),
        op("BatchToSpace")
            .input("input: T")
            .input("crops: Tidx")
            .output("output: T")
            .attr("T: type")
            .attr("block_size: int >= 2")
            .attr("Tidx: {int32, int64} = int32")
            .shape(c -> squareShape(c, BatchBlocks::toSpace))
            .kernel(BatchBlocks::batchToSquares)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        SameAttributes.output(tf, op, "SpaceToBatch", dy, op.input(1)),
                        GradientValue.none())));
  }

  /** Each pixel's channels as a square of {@code blockSize} x {@code blockSize} pixels. */
  public Output depthToSpace(Operand input, long blockSize) {
    return scope.operation("DepthToSpace").input(input).attr("block_size", blockSize).buildOutput();
  }

  /** Each square of {@code blockSize} x {@code blockSize} pixels as the channels of one pixel. */
  public Output spaceToDepth(Operand input, long blockSize) {
    return scope.operation("SpaceToDepth").input(input).attr("block_size", blockSize).buildOutput();
  }

  /**
   * A batch for each place in a block of the dimensions behind the first, which are padded with
   * zeros before.
   */
  public Output spaceToBatch(Operand input, Operand blockShape, Operand paddings) {
    return scope
        .operation("SpaceToBatchND")
        .input(input)
        .input(blockShape)
        .input(paddings)
        .buildOutput();
  }

  /** The inverse of {@link #spaceToBatch}: {@code crops} cuts off what was padded. */
  public Output batchToSpace(Operand input, Operand blockShape, Operand crops) {
    return scope
        .operation("BatchToSpaceND")
        .input(input)
        .input(blockShape)
        .input(crops)
        .buildOutput();
  }

  private static Declaration images(String name) {
    return op(name)
        .input("input: T")
        .output("output: T")
        .attr("T: type")
        .attr("block_size: int >= 2")
        .attr("data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'");
  }

  private static long blockSize(Operation operation) {
    return operation.attributes().integer("block_size");
  }

  private static void imageShape(InferenceContext context, BiFunction<Shape, Long, Shape> result) {
    if (context.attributes().string("data_format").equals("NHWC")) {
      context.output(
          0, result.apply(context.withRank(0, 4), context.attributes().integer("block_size")));
    }
  }

  private static void squareShape(
      InferenceContext context, BiFunction<BatchBlocks, Shape, Shape> result) {
    Shape input = context.withRank(0, 4);
    context.withRank(1, 2);
    Optional<Tensor> margins = context.constant(1);
    long block = context.attributes().integer("block_size");
    context.output(
        0,
        margins.isPresent()
            ? result.apply(BatchBlocks.square(block, margins.get()), input)
            : Shape.ofRank(4).withSize(3, input.size(3)));
  }

  private static void batchShape(
      InferenceContext context, BiFunction<BatchBlocks, Shape, Shape> result) {
    context.withRank(1, 1);
    context.withRank(2, 2);
    Shape input = context.withRankAtLeast(0, 1);
    Optional<Tensor> block = context.constant(1);
    Optional<Tensor> margins = context.constant(2);
    if (input.hasRank() && block.isPresent() && margins.isPresent()) {
      context.output(0, result.apply(BatchBlocks.of(block.get(), margins.get()), input));
    } else if (input.hasRank()) {
      context.output(0, Shape.ofRank(input.rank()));
    }
  }
}
