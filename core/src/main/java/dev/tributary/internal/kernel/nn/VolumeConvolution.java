package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.GemmGeometry;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.Window;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels of Conv3D and its gradients, as products of matrices: a row of the patch matrix holds
 * all elements of a volume under the window of one result. Patches are made for a few rows of
 * results at a time.
 */
public final class VolumeConvolution {
  /** The most elements of a patch matrix, where one row of results does not need more. */
  private static final long PATCH_ELEMENTS = 1 << 20;

  private final KernelContext context;
  private final DataType type;
  private final Window depth;
  private final Window height;
  private final Window width;
  private final long batch;
  private final long channels;
  private final long results;
  private final long patch;

  private VolumeConvolution(
      KernelContext context, VolumeSpec spec, DataType type, Shape volume, Shape filter) {
    this.context = context;
    this.type = type;
    this.depth = spec.window(volume, filter, 0);
    this.height = spec.window(volume, filter, 1);
    this.width = spec.window(volume, filter, 2);
    this.batch = volume.size(0);
    this.channels = volume.size(4);
    this.results = filter.size(4);
    this.patch = filter.slice(0, 4).elementCount();
  }

  /** Inputs: volume, filter. */
  public static Kernel forward(KernelNode node) {
    VolumeSpec spec = spec(node);
    return context -> {
      Tensor volume = context.input(0);
      Tensor filter = context.input(1);
      Shape shape = shape(spec, volume.shape(), filter.shape());
      Tensor output = context.allocateOutput(0, shape);
      VolumeConvolution convolution =
          new VolumeConvolution(context, spec, volume.type(), volume.shape(), filter.shape());
      if (convolution.patch == 0) {
        Fill.zeros(output);
      } else if (output.elementCount() > 0) {
        convolution.forEachBlock(
            (rows, patches, at) -> {
              convolution.fill(volume, patches, at / convolution.width.output(), rows);
              convolution.gemm(
                  rows * convolution.width.output(),
                  convolution.results,
                  convolution.patch,
                  false,
                  false,
                  false,
                  patches,
                  filter.storage().address(),
                  convolution.address(output, at));
            });
      }
    };
  }

  /** Inputs: sizes of the volume, filter, gradient of the result. */
  public static Kernel inputGradient(KernelNode node) {
    VolumeSpec spec = spec(node);
    return context -> {
      Tensor filter = context.input(1);
      Tensor gradient = context.input(2);
      Shape volume = IndexTensors.toShape(context.input(0));
      requireGradient(gradient, shape(spec, volume, filter.shape()));
      Tensor output = context.allocateOutput(0, volume);
      Fill.zeros(output);
      VolumeConvolution convolution =
          new VolumeConvolution(context, spec, gradient.type(), volume, filter.shape());
      if (gradient.elementCount() > 0 && convolution.patch > 0) {
        convolution.forEachBlock(
            (rows, patches, at) -> {
              convolution.gemm(
                  rows * convolution.width.output(),
                  convolution.patch,
                  convolution.results,
                  false,
                  true,
                  false,
                  convolution.address(gradient, at),
                  filter.storage().address(),
                  patches);
              convolution.spread(patches, output, at / convolution.width.output(), rows);
            });
      }
    };
  }

  /** Inputs: volume, sizes of the filter, gradient of the result. */
  public static Kernel filterGradient(KernelNode node) {
    VolumeSpec spec = spec(node);
    return context -> {
      Tensor volume = context.input(0);
      Tensor gradient = context.input(2);
      Shape filter = IndexTensors.toShape(context.input(1));
      requireGradient(gradient, shape(spec, volume.shape(), filter));
      Tensor output = context.allocateOutput(0, filter);
      Fill.zeros(output);
      VolumeConvolution convolution =
          new VolumeConvolution(context, spec, gradient.type(), volume.shape(), filter);
      if (gradient.elementCount() > 0 && convolution.patch > 0) {
        convolution.forEachBlock(
            (rows, patches, at) -> {
              convolution.fill(volume, patches, at / convolution.width.output(), rows);
              convolution.gemm(
                  convolution.patch,
                  convolution.results,
                  rows * convolution.width.output(),
                  true,
                  false,
                  true,
                  patches,
                  convolution.address(gradient, at),
                  output.storage().address());
            });
      }
    };
  }

  private static VolumeSpec spec(KernelNode node) {
    ElementTypes.requireReal(node.type());
    VolumeSpec spec = VolumeSpec.of(node.attributes());
    spec.requireChannelsLast();
    return spec;
  }

  private static Shape shape(VolumeSpec spec, Shape volume, Shape filter) {
    VolumeSpec.requireVolume("input", volume);
    VolumeSpec.requireVolume("filter", filter);
    return spec.output(volume, filter);
  }

  private static void requireGradient(Tensor gradient, Shape wanted) {
    if (!gradient.shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "out_backprop must have the result's shape %s, got %s", wanted, gradient.shape());
    }
  }

  /** What is done with some rows of results. */
  @FunctionalInterface
  private interface Block {
    /**
     * @param patches the address of a matrix with a row for each result
     * @param first the number of the first result
     */
    void accept(long rows, long patches, long first);
  }

  private void forEachBlock(Block block) {
    long rows = batch * depth.output() * height.output();
    long most = Math.max(1, Math.min(rows, PATCH_ELEMENTS / (width.output() * patch)));
    try (Tensor patches = context.allocate(type, Shape.of(most, width.output(), patch))) {
      for (long row = 0; row < rows; row += most) {
        block.accept(Math.min(most, rows - row), patches.storage().address(), row * width.output());
      }
    }
  }

  private void gemm(
      long m,
      long n,
      long k,
      boolean transposeA,
      boolean transposeB,
      boolean adding,
      long a,
      long b,
      long c) {
    GemmGeometry geometry = GemmGeometry.of(type, m, n, k, transposeA, transposeB);
    context.device().backend().gemm(adding ? geometry.accumulating() : geometry, a, b, c);
  }

  private long address(Tensor resultsTensor, long result) {
    return resultsTensor.storage().address() + result * results * type.size();
  }

  private void fill(Tensor volume, long patches, long firstRow, long rows) {
    long bytes = channels * type.size();
    forEachTap(
        firstRow,
        rows,
        (at, pixel) -> {
          if (pixel < 0) {
            Memory.fill(patches + at * bytes, bytes, (byte) 0);
          } else {
            Memory.copy(volume.storage().address() + pixel * bytes, patches + at * bytes, bytes);
          }
        });
  }

  private void spread(long patches, Tensor volume, long firstRow, long rows) {
    RealElements elements = RealElements.of(type);
    long bytes = channels * type.size();
    forEachTap(
        firstRow,
        rows,
        (at, pixel) -> {
          if (pixel >= 0) {
            long to = volume.storage().address() + pixel * bytes;
            for (long i = 0; i < bytes; i += elements.size()) {
              elements.add(to + i, elements.get(patches + at * bytes + i));
            }
          }
        });
  }

  /** A place in a patch matrix, and the pixel of the volume under it. */
  @FunctionalInterface
  private interface Tap {
    /**
     * @param at counts the pixels of the patch matrix
     * @param pixel counts those of the volume; negative for one in the padding
     */
    void accept(long at, long pixel);
  }

  private void forEachTap(long firstRow, long rows, Tap tap) {
    long at = 0;
    for (long row = firstRow; row < firstRow + rows; row++) {
      long y = height.start(row % height.output());
      long z = depth.start(row / height.output() % depth.output());
      long image = row / height.output() / depth.output() * depth.input();
      for (long column = 0; column < width.output(); column++) {
        long x = width.start(column);
        for (long i = 0; i < depth.size(); i++) {
          long plane = inside(depth, z + i * depth.dilation());
          for (long j = 0; j < height.size(); j++) {
            long line = inside(height, y + j * height.dilation());
            boolean empty = plane < 0 || line < 0;
            long start = ((image + plane) * height.input() + line) * width.input();
            for (long k = 0; k < width.size(); k++) {
              long pixel = inside(width, x + k * width.dilation());
              tap.accept(at++, empty || pixel < 0 ? -1 : start + pixel);
            }
          }
        }
      }
    }
  }

  private static long inside(Window window, long place) {
    return place < window.input() ? place : -1;
  }
}
