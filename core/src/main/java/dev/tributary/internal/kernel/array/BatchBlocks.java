package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels of SpaceToBatch and BatchToSpace in both versions: every place in a block of the
 * dimensions behind the batch has a batch of its own, in row-major order of the places. A margin is
 * padding around these dimensions on the way to batches, and cropped on the way back.
 */
public final class BatchBlocks {
  private final long[] block;
  private final long[] before;
  private final long[] behind;

  private BatchBlocks(long[] block, long[] margins) {
    this.block = block;
    this.before = new long[block.length];
    this.behind = new long[block.length];
    for (int i = 0; i < block.length; i++) {
      before[i] = margins[2 * i];
      behind[i] = margins[2 * i + 1];
      if (block[i] < 1) {
        throw TributaryException.invalidArgument(
            "All values in block_shape must be positive, got value, %d at index %d.", block[i], i);
      }
      if (before[i] < 0 || behind[i] < 0) {
        throw TributaryException.invalidArgument(
            "paddings and crops must be non-negative, got [%d, %d] at index %d",
            before[i], behind[i], i);
      }
    }
  }

  /** Reads a block's shape and the margins, of which there is a row for each of its dimensions. */
  public static BatchBlocks of(Tensor block, Tensor margins) {
    long[] sizes = IndexTensors.vector(block, "block_shape");
    if (margins.rank() != 2
        || margins.shape().size(0) != sizes.length
        || margins.shape().size(1) != 2) {
      throw TributaryException.invalidArgument(
          "paddings or crops should have shape [%d, 2] instead of %s",
          sizes.length, margins.shape());
    }
    return new BatchBlocks(sizes, IndexTensors.all(margins));
  }

  /** Reads the margins of square blocks of pixels. */
  public static BatchBlocks square(long block, Tensor margins) {
    if (!margins.shape().equals(Shape.of(2, 2))) {
      throw TributaryException.invalidArgument(
          "paddings or crops should have shape [2,2] instead of %s", margins.shape());
    }
    return new BatchBlocks(new long[] {block, block}, IndexTensors.all(margins));
  }

  public static void spaceToBatch(KernelContext context) {
    spaceToBatch(context, of(context.input(1), context.input(2)));
  }

  public static void batchToSpace(KernelContext context) {
    batchToSpace(context, of(context.input(1), context.input(2)));
  }

  /** The kernel of SpaceToBatch, whose blocks are squares. */
  public static Kernel squaresToBatch(KernelNode node) {
    long block = node.attributes().integer("block_size");
    return context -> spaceToBatch(context, squares(context, block));
  }

  /** The kernel of BatchToSpace, whose blocks are squares. */
  public static Kernel batchToSquares(KernelNode node) {
    long block = node.attributes().integer("block_size");
    return context -> batchToSpace(context, squares(context, block));
  }

  private static BatchBlocks squares(KernelContext context, long block) {
    Shape images = context.input(0).shape();
    if (images.rank() != 4) {
      throw TributaryException.invalidArgument("input rank should be 4, got shape %s", images);
    }
    return square(block, context.input(1));
  }

  private static void spaceToBatch(KernelContext context, BatchBlocks blocks) {
    Tensor input = context.input(0);
    Tensor output = context.allocateOutput(0, blocks.toBatch(input.shape()));
    Fill.zeros(output);
    blocks.move(input, output, true);
  }

  private static void batchToSpace(KernelContext context, BatchBlocks blocks) {
    Tensor input = context.input(0);
    Tensor output = context.allocateOutput(0, blocks.toSpace(input.shape()));
    blocks.move(output, input, false);
  }

  /** The shape of the batches made from a tensor. */
  public Shape toBatch(Shape space) {
    long[] sizes = requireRank(space);
    for (int i = 0; i < block.length; i++) {
      sizes[0] = Blocks.times(sizes[0], block[i]);
      if (sizes[i + 1] == Shape.UNKNOWN) {
        continue;
      }
      long padded = sizes[i + 1] + before[i] + behind[i];
      if (padded < 0 || padded % block[i] != 0) {
        throw TributaryException.invalidArgument(
            "padded_shape[%d]=%d is not divisible by block_shape[%d]=%d", i, padded, i, block[i]);
      }
      sizes[i + 1] = padded / block[i];
    }
    return Shape.of(sizes);
  }

  /** The shape of the tensor made from batches. */
  public Shape toSpace(Shape batch) {
    long[] sizes = requireRank(batch);
    for (int i = 0; i < block.length; i++) {
      if (sizes[0] != Shape.UNKNOWN && sizes[0] % block[i] != 0) {
        throw TributaryException.invalidArgument(
            "Input batch dimension (%d) is not divisible by the product of block_shape %s",
            batch.size(0), Shape.of(block));
      }
      sizes[0] = sizes[0] == Shape.UNKNOWN ? Shape.UNKNOWN : sizes[0] / block[i];
      if (sizes[i + 1] == Shape.UNKNOWN) {
        continue;
      }
      long whole = Blocks.times(sizes[i + 1], block[i]);
      long rest = whole - before[i] - behind[i];
      if (rest < 0) {
        throw TributaryException.invalidArgument(
            "cropped_shape[%d]=%d must be non-negative: crops [%d, %d] of %d",
            i, rest, before[i], behind[i], whole);
      }
      sizes[i + 1] = rest;
    }
    return Shape.of(sizes);
  }

  private long[] requireRank(Shape shape) {
    if (shape.rank() < 1 + block.length) {
      throw TributaryException.invalidArgument(
          "input rank should be >= %d instead of %d", 1 + block.length, shape.rank());
    }
    return shape.toArray();
  }

  /** Copies the elements of each place in a block, one place after the other. */
  private void move(Tensor space, Tensor batch, boolean toBatch) {
    if (space.elementCount() == 0 || batch.elementCount() == 0) {
      return;
    }
    long[] sizes = batch.shape().toArray();
    sizes[0] = space.shape().size(0);
    long[] spaceStrides = space.shape().strides();
    long[] batchStrides = batch.shape().strides();
    long[] walk = spaceStrides.clone();
    for (int i = 0; i < block.length; i++) {
      walk[i + 1] *= block[i];
    }
    long places = batch.shape().size(0) / sizes[0];
    for (long place = 0; place < places; place++) {
      long rest = place;
      long spaceOffset = 0;
      long batchOffset = place * sizes[0] * batchStrides[0];
      for (int i = block.length - 1; i >= 0; i--) {
        // The place of the first element, and with it the others, may lie in the margin.
        long at = rest % block[i] - before[i];
        rest /= block[i];
        long first = at < 0 ? (-at + block[i] - 1) / block[i] : 0;
        long end =
            Math.min(
                batch.shape().size(i + 1),
                1 + Math.floorDiv(space.shape().size(i + 1) - 1 - at, block[i]));
        sizes[i + 1] = Math.max(0, end - first);
        spaceOffset += (at + first * block[i]) * spaceStrides[i + 1];
        batchOffset += first * batchStrides[i + 1];
      }
      if (Shape.of(sizes).elementCount() > 0) {
        if (toBatch) {
          Moves.copy(sizes, space, spaceOffset, walk, batch, batchOffset, batchStrides);
        } else {
          Moves.copy(sizes, batch, batchOffset, batchStrides, space, spaceOffset, walk);
        }
      }
    }
  }
}
