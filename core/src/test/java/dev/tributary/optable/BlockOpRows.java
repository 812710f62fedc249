package dev.tributary.optable;

import static dev.tributary.optable.ArrayDraws.ALL;
import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT16;
import static dev.tributary.tensor.DataType.UINT32;
import static dev.tributary.tensor.DataType.UINT64;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

final class BlockOpRows {
  private static final DataType[] NUMBERS = {
    FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, HALF, BFLOAT16, UINT16, UINT32, UINT64
  };

  private BlockOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("DepthToSpace")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 1, 2, 4), 1f, 2f, 3f, 4f, 5f, 6f, 7f, 8f))
                        .attr("block_size", 2),
                Tensor.of(Shape.of(1, 2, 4, 1), 1f, 2f, 5f, 6f, 3f, 4f, 7f, 8f))
            .types(ALL)
            .without(Draw.Size.SCALAR, "images have four dimensions")
            .draw(d -> depthToSpace(d, d.integer(2, 3)))
            .gradientOf(0),
        OpRow.of("SpaceToDepth")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 2, 4, 1), 1f, 2f, 5f, 6f, 3f, 4f, 7f, 8f))
                        .attr("block_size", 2),
                Tensor.of(Shape.of(1, 1, 2, 4), 1f, 2f, 3f, 4f, 5f, 6f, 7f, 8f))
            .types(ALL)
            .without(Draw.Size.SCALAR, "images have four dimensions")
            .draw(d -> spaceToDepth(d, d.integer(2, 3)))
            .gradientOf(0),
        OpRow.of("SpaceToBatchND")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 3), 1f, 2f, 3f))
                        .constant(Tensor.of(2))
                        .constant(Tensor.of(Shape.of(1, 2), 1, 0)),
                Tensor.of(Shape.of(2, 2), 0f, 2f, 1f, 3f))
            .types(NUMBERS)
            .without(Draw.Size.SCALAR, "a batch has a dimension")
            .draw(BlockOpRows::spaceToBatch)
            .gradientOf(0),
        OpRow.of("BatchToSpaceND")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 2), 0f, 2f, 1f, 3f))
                        .constant(Tensor.of(2))
                        .constant(Tensor.of(Shape.of(1, 2), 1, 0)),
                Tensor.of(Shape.of(1, 3), 1f, 2f, 3f))
            .types(NUMBERS)
            .without(Draw.Size.SCALAR, "a batch has a dimension")
            .draw(BlockOpRows::batchToSpace)
            .gradientOf(0),
        OpRow.of("SpaceToBatch")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 1, 3, 1), 1f, 2f, 3f))
                        .constant(Tensor.of(Shape.of(2, 2), 0, 1, 1, 0))
                        .attr("block_size", 2),
                Tensor.of(Shape.of(4, 1, 2, 1), 0f, 2f, 1f, 3f, 0f, 0f, 0f, 0f))
            .types(NUMBERS)
            .without(Draw.Size.SCALAR, "images have four dimensions")
            .draw(BlockOpRows::squaresToBatch)
            .gradientOf(0),
        OpRow.of("BatchToSpace")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(4, 1, 2, 1), 0f, 2f, 1f, 3f, 0f, 0f, 0f, 0f))
                        .constant(Tensor.of(Shape.of(2, 2), 0, 1, 1, 0))
                        .attr("block_size", 2),
                Tensor.of(Shape.of(1, 1, 3, 1), 1f, 2f, 3f))
            .types(NUMBERS)
            .without(Draw.Size.SCALAR, "images have four dimensions")
            .draw(BlockOpRows::batchToSquares)
            .gradientOf(0));
  }

  private static OpCall depthToSpace(Draw d, int block) {
    Shape images =
        Shape.of(batch(d), d.integer(1, 3), d.integer(1, 3), block * block * d.integer(1, 2));
    return OpCall.of(d.tensor(images)).attr("block_size", block);
  }

  private static OpCall spaceToDepth(Draw d, int block) {
    Shape images =
        Shape.of(batch(d), block * d.integer(1, 3), block * d.integer(1, 2), d.integer(1, 3));
    return OpCall.of(d.tensor(images)).attr("block_size", block);
  }

  /** Images that the paddings make multiples of the block. */
  private static OpCall squaresToBatch(Draw d) {
    int block = d.integer(2, 3);
    long[] paddings = {d.integer(0, 2), 0, d.integer(0, 2), 0};
    long height = d.integer(1, 4);
    long width = d.integer(1, 4);
    paddings[1] = Math.floorMod(-height - paddings[0], block);
    paddings[3] = Math.floorMod(-width - paddings[2], block);
    return OpCall.of(d.tensor(Shape.of(batch(d), height, width, d.integer(1, 3))))
        .constant(ArrayDraws.integers(ArrayDraws.indexType(d), Shape.of(2, 2), paddings))
        .attr("block_size", block);
  }

  private static OpCall batchToSquares(Draw d) {
    int block = d.integer(2, 3);
    long[] crops = {d.integer(0, 1), d.integer(0, 1), d.integer(0, 1), d.integer(0, 1)};
    Shape images =
        Shape.of(batch(d) * block * block, d.integer(2, 3), d.integer(2, 3), d.integer(1, 3));
    return OpCall.of(d.tensor(images))
        .constant(ArrayDraws.integers(ArrayDraws.indexType(d), Shape.of(2, 2), crops))
        .attr("block_size", block);
  }

  private static long batch(Draw d) {
    return d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 3);
  }

  /** Dimensions that the paddings make multiples of the block's. */
  private static OpCall spaceToBatch(Draw d) {
    int dimensions = d.integer(1, 3);
    long[] sizes = sizes(d, dimensions);
    long[] block = new long[dimensions];
    long[] paddings = new long[2 * dimensions];
    for (int i = 0; i < dimensions; i++) {
      block[i] = d.integer(1, 3);
      paddings[2 * i] = d.integer(0, 4);
      long missing = -(sizes[i + 1] + paddings[2 * i]) % block[i];
      paddings[2 * i + 1] = (missing + block[i]) % block[i] + block[i] * d.integer(0, 1);
    }
    return call(d, Shape.of(sizes), block, paddings);
  }

  private static OpCall batchToSpace(Draw d) {
    int dimensions = d.integer(1, 3);
    long[] sizes = sizes(d, dimensions);
    long[] block = new long[dimensions];
    long[] crops = new long[2 * dimensions];
    for (int i = 0; i < dimensions; i++) {
      block[i] = d.integer(1, 3);
      sizes[0] *= block[i];
      int whole = (int) (sizes[i + 1] * block[i]);
      crops[2 * i] = d.integer(0, whole / 2);
      crops[2 * i + 1] = d.integer(0, whole / 2);
    }
    return call(d, Shape.of(sizes), block, crops);
  }

  private static long[] sizes(Draw d, int dimensions) {
    long[] sizes = new long[1 + dimensions + d.integer(0, 1)];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = d.integer(1, 4);
    }
    sizes[0] = batch(d);
    return sizes;
  }

  private static OpCall call(Draw d, Shape input, long[] block, long[] margins) {
    DataType type = ArrayDraws.indexType(d);
    return OpCall.of(d.tensor(input))
        .constant(ArrayDraws.vector(type, block))
        .constant(ArrayDraws.integers(type, Shape.of(block.length, 2), margins));
  }
}
