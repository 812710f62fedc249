package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.Tensor;

/**
 * The kernels of DataFormatDimMap and DataFormatVecPermute: numbers and values of dimensions in
 * another data format. A format is a string with a letter for each dimension.
 */
public final class DataFormats {
  private final String from;
  private final String to;

  private DataFormats(KernelNode node) {
    this.from = node.attributes().string("src_format");
    this.to = node.attributes().string("dst_format");
    if (from.length() != 4 && from.length() != 5) {
      throw TributaryException.invalidArgument(
          "Source format must be of length 4 or 5, received src_format = %s", from);
    }
    boolean permutation =
        from.length() == to.length() && from.chars().distinct().count() == from.length();
    if (!permutation || !from.chars().allMatch(letter -> to.indexOf(letter) >= 0)) {
      throw TributaryException.invalidArgument(
          "Destination and source format must determine a permutation, got %s and %s", from, to);
    }
  }

  /** The numbers that dimensions have in the other format; negative ones count from the end. */
  public static Kernel dimensions(KernelNode node) {
    DataFormats formats = new DataFormats(node);
    return context -> {
      Tensor input = context.input(0);
      Tensor output = context.allocateOutput(0, input.shape());
      int rank = formats.from.length();
      for (long i = 0; i < input.elementCount(); i++) {
        int dimension = (int) Math.floorMod(IndexTensors.at(input, i), (long) rank);
        IndexTensors.put(output, i, formats.to.indexOf(formats.from.charAt(dimension)));
      }
    };
  }

  /**
   * The values of all dimensions, or of all but batch and channels, in the order of the other
   * format. A value is one element or, in a matrix, a pair of them.
   */
  public static Kernel values(KernelNode node) {
    DataFormats formats = new DataFormats(node);
    return context -> {
      Tensor input = context.input(0);
      int rank = formats.from.length();
      boolean shaped = input.rank() == 1 || input.rank() == 2 && input.shape().size(1) == 2;
      if (!shaped || input.shape().size(0) != rank && input.shape().size(0) != rank - 2) {
        throw TributaryException.invalidArgument(
            "input must have %d or %d elements or rows of 2 elements, got shape %s",
            rank - 2, rank, input.shape());
      }
      boolean spatial = input.shape().size(0) != rank;
      String source = spatial ? spatial(formats.from) : formats.from;
      String target = spatial ? spatial(formats.to) : formats.to;
      if (source.length() != input.shape().size(0)) {
        throw TributaryException.invalidArgument(
            "Format specifier must contain %d of D, H and W, got %s", rank - 2, formats.from);
      }
      Tensor output = context.allocateOutput(0, input.shape());
      RowMove move = new RowMove(input, output, input.rank() == 1 ? 1 : 2);
      for (int i = 0; i < source.length(); i++) {
        move.move(i, target.indexOf(source.charAt(i)));
      }
    };
  }

  private static String spatial(String format) {
    return format.replaceAll("[^DHW]", "");
  }
}
