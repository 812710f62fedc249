package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernels of DepthToSpace and SpaceToDepth, and their shape arithmetic. */
public final class Blocks {
  private Blocks() {}

  /** The shape of images whose channels became blocks of pixels. */
  public static Shape depthToSpace(Shape images, long block) {
    return Shape.of(
        images.size(0),
        times(images.size(1), block),
        times(images.size(2), block),
        divided(images.size(3), times(block, block), "depth", images));
  }

  /** The shape of images whose blocks of pixels became channels. */
  public static Shape spaceToDepth(Shape images, long block) {
    return Shape.of(
        images.size(0),
        divided(images.size(1), block, "height", images),
        divided(images.size(2), block, "width", images),
        times(images.size(3), times(block, block)));
  }

  public static Kernel depthToSpace(KernelNode node) {
    long block = blockSize(node);
    return context -> {
      Tensor input = requireImages(context.input(0));
      Tensor output = context.allocateOutput(0, depthToSpace(input.shape(), block));
      Shape small = input.shape();
      long channels = output.shape().size(3);
      Moves.copy(
          sizes(small, block, channels),
          input,
          0,
          deepStrides(small, block, channels),
          output,
          0,
          wideStrides(small, block, channels));
    };
  }

  public static Kernel spaceToDepth(KernelNode node) {
    long block = blockSize(node);
    return context -> {
      Tensor input = requireImages(context.input(0));
      Tensor output = context.allocateOutput(0, spaceToDepth(input.shape(), block));
      Shape small = output.shape();
      long channels = input.shape().size(3);
      Moves.copy(
          sizes(small, block, channels),
          input,
          0,
          wideStrides(small, block, channels),
          output,
          0,
          deepStrides(small, block, channels));
    };
  }

  /** Batch, row, row in the block, column, column in the block, channel. */
  private static long[] sizes(Shape small, long block, long channels) {
    return new long[] {small.size(0), small.size(1), block, small.size(2), block, channels};
  }

  private static long[] deepStrides(Shape small, long block, long channels) {
    long blockRow = block * channels;
    long pixel = block * blockRow;
    long row = small.size(2) * pixel;
    return new long[] {small.size(1) * row, row, blockRow, pixel, channels, 1};
  }

  private static long[] wideStrides(Shape small, long block, long channels) {
    long blockRow = small.size(2) * block * channels;
    long row = block * blockRow;
    return new long[] {small.size(1) * row, row, blockRow, block * channels, channels, 1};
  }

  private static long blockSize(KernelNode node) {
    String format = node.attributes().string("data_format");
    if (!format.equals("NHWC")) {
      throw TributaryException.invalidArgument(
          "Only NHWC data_format supported on CPU. Got %s", format);
    }
    return node.attributes().integer("block_size");
  }

  private static Tensor requireImages(Tensor input) {
    if (input.rank() != 4) {
      throw TributaryException.invalidArgument(
          "Input rank should be 4 instead of %d", input.rank());
    }
    return input;
  }

  private static long divided(long size, long divisor, String what, Shape images) {
    if (size == Shape.UNKNOWN) {
      return Shape.UNKNOWN;
    }
    if (size % divisor != 0) {
      throw TributaryException.invalidArgument(
          "the %s of images of shape %s should be divisible by %d", what, images, divisor);
    }
    return size / divisor;
  }

  /** A product of sizes, unknown if one of them is. */
  public static long times(long size, long factor) {
    if (size == Shape.UNKNOWN || factor == Shape.UNKNOWN) {
      return Shape.UNKNOWN;
    }
    long product = size * factor;
    if (Math.multiplyHigh(size, factor) != 0 || product < 0) {
      throw TributaryException.invalidArgument(
          "a size of %d times %d is more than 2^63", size, factor);
    }
    return product;
  }
}
