package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ChannelGeometry;
import dev.tributary.tensor.Shape;

/**
 * The position of a tensor's channels: last for a {@code data_format} such as NHWC or NDHWC, second
 * for NCHW and NCDHW.
 */
public final class ChannelShapes {
  private ChannelShapes() {}

  /** Returns the dimension of the channels in a shape of this rank. */
  public static int dimension(String format, int rank) {
    if (rank < 2) {
      throw TributaryException.invalidArgument(
          "a tensor with channels has rank 2 or more, got rank %d", rank);
    }
    return format.endsWith("C") ? rank - 1 : 1;
  }

  /** Returns how many channels a shape has, as far as is known. */
  public static long channels(String format, Shape shape) {
    return shape.hasRank() ? shape.size(dimension(format, shape.rank())) : Shape.UNKNOWN;
  }

  static ChannelGeometry geometry(String format, Shape shape) {
    int dimension = dimension(format, shape.rank());
    return new ChannelGeometry(
        shape.slice(0, dimension).elementCount(),
        shape.size(dimension),
        shape.slice(dimension + 1, shape.rank()).elementCount());
  }
}
