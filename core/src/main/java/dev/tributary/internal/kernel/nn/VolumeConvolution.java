package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.kernel.GemmGeometry;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.function.Function;

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
  private final VolumeWindows windows;
  private final long channels;
  private final long results;
  private final long patch;

  private VolumeConvolution(
      KernelContext context, VolumeSpec spec, DataType type, Shape volume, Shape filter) {
    this.context = context;
    this.type = type;
    this.windows = spec.windows(volume, filter.size(0), filter.size(1), filter.size(2));
    this.channels = volume.size(4);
    this.results = filter.size(4);
    this.patch = filter.slice(0, 4).elementCount();
  }

  /** Inputs: volume, filter. */
  public static Kernel forward(KernelNode node) {
    VolumeSpec spec = spec(node);
    return context -> forward(context, spec, Epilogue.NONE, 0);
  }

  /** Inputs: volume, filter, bias with one element for each channel of the result. */
  public static Kernel fused(KernelNode node) {
    VolumeSpec spec = spec(node);
    Epilogue epilogue = Epilogue.ofFusedOps(node.attributes().strings("fused_ops"));
    return context -> {
      Tensor bias = context.input(2);
      Shape filter = context.input(1).shape();
      if (filter.rank() != 5
          || filter.elementCount() == 0
          || !bias.shape().equals(Shape.of(filter.size(4)))) {
        throw TributaryException.invalidArgument(
            "the bias must be a vector with one element for each channel of a filter of rank 5, got"
                + " shape %s for a filter of shape %s",
            bias.shape(), filter);
      }
      forward(context, spec, epilogue, bias.storage().address());
    };
  }

  private static void forward(
      KernelContext context, VolumeSpec spec, Epilogue epilogue, long bias) {
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
            convolution.windows.copy(volume, patches, at / convolution.windows.rowLength(), rows);
            GemmGeometry geometry =
                GemmGeometry.of(
                    convolution.type,
                    rows * convolution.windows.rowLength(),
                    convolution.results,
                    convolution.patch,
                    false,
                    false);
            context
                .device()
                .backend()
                .gemm(
                    geometry,
                    epilogue,
                    patches,
                    filter.storage().address(),
                    bias,
                    convolution.address(output, at));
          });
    }
  }

  /**
   * Inputs: sizes of the volume, filter, gradient of the result.
   *
   * @param sizes reads the sizes from the first input
   */
  public static Kernel inputGradient(KernelNode node, Function<Tensor, Shape> sizes) {
    VolumeSpec spec = spec(node);
    return context -> {
      Tensor filter = context.input(1);
      Tensor gradient = context.input(2);
      Shape volume = sizes.apply(context.input(0));
      requireGradient(gradient, shape(spec, volume, filter.shape()));
      Tensor output = context.allocateOutput(0, volume);
      Fill.zeros(output);
      VolumeConvolution convolution =
          new VolumeConvolution(context, spec, gradient.type(), volume, filter.shape());
      if (gradient.elementCount() > 0 && convolution.patch > 0) {
        convolution.forEachBlock(
            (rows, patches, at) -> {
              convolution.gemm(
                  rows * convolution.windows.rowLength(),
                  convolution.patch,
                  convolution.results,
                  false,
                  true,
                  false,
                  convolution.address(gradient, at),
                  filter.storage().address(),
                  patches);
              convolution.spread(patches, output, at / convolution.windows.rowLength(), rows);
            });
      }
    };
  }

  /**
   * Inputs: volume, sizes of the filter, gradient of the result.
   *
   * @param sizes reads the sizes from the second input
   */
  public static Kernel filterGradient(KernelNode node, Function<Tensor, Shape> sizes) {
    VolumeSpec spec = spec(node);
    return context -> {
      Tensor volume = context.input(0);
      Tensor gradient = context.input(2);
      Shape filter = sizes.apply(context.input(1));
      requireGradient(gradient, shape(spec, volume.shape(), filter));
      Tensor output = context.allocateOutput(0, filter);
      Fill.zeros(output);
      VolumeConvolution convolution =
          new VolumeConvolution(context, spec, gradient.type(), volume.shape(), filter);
      if (gradient.elementCount() > 0 && convolution.patch > 0) {
        convolution.forEachBlock(
            (rows, patches, at) -> {
              convolution.windows.copy(volume, patches, at / convolution.windows.rowLength(), rows);
              convolution.gemm(
                  convolution.patch,
                  convolution.results,
                  rows * convolution.windows.rowLength(),
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

  /** The work on some rows of results. */
  @FunctionalInterface
  private interface Block {
    /**
     * @param patches the address of a matrix with a row for each result
     * @param first the number of the first result
     */
    void accept(long rows, long patches, long first);
  }

  private void forEachBlock(Block block) {
    long rows = windows.rows();
    long length = windows.rowLength();
    long most = Math.max(1, Math.min(rows, PATCH_ELEMENTS / (length * patch)));
    try (Tensor patches = context.allocate(type, Shape.of(most, length, patch))) {
      for (long row = 0; row < rows; row += most) {
        block.accept(Math.min(most, rows - row), patches.storage().address(), row * length);
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

  private void spread(long patches, Tensor volume, long firstRow, long rows) {
    RealElements elements = RealElements.of(type);
    long bytes = channels * type.size();
    windows.forEachTap(
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
}
