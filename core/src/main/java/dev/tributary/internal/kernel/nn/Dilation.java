package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.Window;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.RowSum;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels of Dilation2D and its gradients: the greatest sum of an element under a window and
 * the filter's element above it. Images are [batch, height, width, channels], filters [height,
 * width, channels]. Of equal sums the first counts.
 */
public final class Dilation {
  private final Tensor image;
  private final Tensor filter;
  private final ElementSums sums;
  private final Window height;
  private final Window width;
  private final Shape output;

  private Dilation(KernelContext context, Attributes attributes) {
    this.image = context.input(0);
    this.filter = context.input(1);
    WindowSpec.requireImage("input", image.shape());
    if (filter.rank() != 3) {
      throw TributaryException.invalidArgument(
          "filter must be 3-dimensional, got shape %s", filter.shape());
    }
    this.output = output(attributes, image.shape(), filter.shape());
    WindowSpec windows = windows(attributes);
    this.height = windows.height(image.shape(), filter.shape().size(0));
    this.width = windows.width(image.shape(), filter.shape().size(1));
    this.sums = new ElementSums(image, filter);
  }

  /** The result's shape for an image of rank 4 and a filter of rank 3; sizes may be unknown. */
  public static Shape output(Attributes attributes, Shape image, Shape filter) {
    long channels = image.size(3);
    if (channels != Shape.UNKNOWN
        && filter.size(2) != Shape.UNKNOWN
        && channels != filter.size(2)) {
      throw TributaryException.invalidArgument(
          "input and filter must have the same depth: %d vs %d", channels, filter.size(2));
    }
    WindowSpec windows = windows(attributes);
    return windows.image(
        image.size(0),
        windows.height(image, filter.size(0)).output(),
        windows.width(image, filter.size(1)).output(),
        channels);
  }

  private static WindowSpec windows(Attributes attributes) {
    return WindowSpec.of(attributes, attributes.integers("strides"), attributes.integers("rates"));
  }

  /** Inputs: image, filter. */
  public static Kernel forward(KernelNode node) {
    requireNumber(node.type());
    return context -> {
      Dilation dilation = new Dilation(context, node.attributes());
      Tensor output = context.allocateOutput(0, dilation.output);
      dilation.forEach(
          (at, place, tap, least) -> {
            if (least) {
              dilation.sums.putLeast(output, at);
            } else {
              dilation.sums.put(output, at, place, tap);
            }
          });
    };
  }

  /** Inputs: image, filter, gradient of the result. */
  public static Kernel inputGradient(KernelNode node) {
    requireNumber(node.type());
    return context -> {
      Dilation dilation = new Dilation(context, node.attributes());
      Tensor gradient = dilation.requireGradient(context.input(2));
      Tensor output = context.allocateOutput(0, dilation.image.shape());
      Fill.zeros(output);
      RowSum sum = new RowSum(output.type(), 1);
      dilation.forEach(
          (at, place, tap, least) ->
              sum.add(gradient.storage().address(), at, output.storage().address(), place));
    };
  }

  /** Inputs: image, filter, gradient of the result. */
  public static Kernel filterGradient(KernelNode node) {
    requireNumber(node.type());
    return context -> {
      Dilation dilation = new Dilation(context, node.attributes());
      Tensor gradient = dilation.requireGradient(context.input(2));
      Tensor output = context.allocateOutput(0, dilation.filter.shape());
      Fill.zeros(output);
      RowSum sum = new RowSum(output.type(), 1);
      dilation.forEach(
          (at, place, tap, least) ->
              sum.add(gradient.storage().address(), at, output.storage().address(), tap));
    };
  }

  /** The elements of the image and the filter that give the greatest sum for one of the result. */
  @FunctionalInterface
  private interface Pair {
    /**
     * @param least whether no sum is above the least number of the type, which then is the result;
     *     the elements are the first ones of the window and of the filter
     */
    void accept(long result, long place, long tap, boolean least);
  }

  private void forEach(Pair pair) {
    long channels = image.shape().size(3);
    long at = 0;
    for (long b = 0; b < image.shape().size(0); b++) {
      for (long y = 0; y < height.output(); y++) {
        for (long x = 0; x < width.output(); x++) {
          for (long c = 0; c < channels; c++) {
            visit(pair, at++, b, y, x, c);
          }
        }
      }
    }
  }

  private void visit(Pair pair, long result, long b, long y, long x, long c) {
    long best = sums.least();
    long bestPlace = place(b, Math.max(0, height.start(y)), Math.max(0, width.start(x)), c);
    long bestTap = c;
    boolean least = true;
    for (long i = 0; i < height.size(); i++) {
      long row = height.start(y) + i * height.dilation();
      if (row < 0 || row >= height.input()) {
        continue;
      }
      for (long j = 0; j < width.size(); j++) {
        long column = width.start(x) + j * width.dilation();
        if (column >= 0 && column < width.input()) {
          long place = place(b, row, column, c);
          long tap = (i * width.size() + j) * image.shape().size(3) + c;
          long rank = sums.rank(place, tap);
          if (rank > best) {
            best = rank;
            bestPlace = place;
            bestTap = tap;
            least = false;
          }
        }
      }
    }
    pair.accept(result, bestPlace, bestTap, least);
  }

  private long place(long b, long row, long column, long c) {
    return ((b * height.input() + row) * width.input() + column) * image.shape().size(3) + c;
  }

  private Tensor requireGradient(Tensor gradient) {
    if (!gradient.shape().equals(output)) {
      throw TributaryException.invalidArgument(
          "out_backprop must have the result's shape %s, got %s", output, gradient.shape());
    }
    return gradient;
  }

  private static void requireNumber(DataType type) {
    if (!type.isFloating() && !type.isInteger()) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: real numbers", type.lowerName());
    }
  }
}
