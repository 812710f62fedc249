package dev.tributary.internal.kernel.text;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.ByteArrayOutputStream;

/** Joins the strings of each segment, in any order of segments. */
public final class SegmentJoin implements Kernel {
  private final byte[] separator;

  public SegmentJoin(KernelNode node) {
    separator = ElementStrings.attribute(node, "separator");
  }

  @Override
  public void compute(KernelContext context) {
    Tensor input = context.input(0);
    Tensor ids = context.input(1);
    IndexTensors.requireScalar(context.input(2), "num_segments");
    long segments = context.input(2).getIndex(0);
    Shape row = requireShapes(input.shape(), ids.shape());
    if (segments < 0) {
      throw TributaryException.invalidArgument("num_segments must be >= 0, got %d", segments);
    }
    Shape shape = Shape.of(segments).concatenate(row);
    Object[] output = context.allocateOutput(0, shape).objects();
    long[] segmentOf = IndexTensors.all(ids);
    for (long id : segmentOf) {
      if (id < 0 || id >= segments) {
        throw TributaryException.invalidArgument(
            "segment_ids are not allowed to exceed num_segments or to have negative values, got %d"
                + " of %d",
            id, segments);
      }
    }
    int width = ArrayLength.of(row.elementCount());
    ByteArrayOutputStream[] joined = new ByteArrayOutputStream[output.length];
    Object[] strings = input.objects();
    for (int i = 0; i < strings.length; i++) {
      int to = (int) segmentOf[i / width] * width + i % width;
      if (joined[to] == null) {
        joined[to] = new ByteArrayOutputStream();
      }
      // An empty beginning gets no separator, as in TensorFlow.
      if (joined[to].size() > 0) {
        joined[to].writeBytes(separator);
      }
      joined[to].writeBytes((byte[]) strings[i]);
    }
    for (int i = 0; i < output.length; i++) {
      output[i] = joined[i] == null ? new byte[0] : joined[i].toByteArray();
    }
  }

  /** The shape of a row: the dimensions of the strings that ids do not have. */
  private static Shape requireShapes(Shape input, Shape ids) {
    if (ids.rank() == 0) {
      throw TributaryException.invalidArgument("Segment_id cannot have rank 0");
    }
    if (ids.rank() > input.rank()) {
      throw new TributaryException(
          ErrorCode.OUT_OF_RANGE,
          "Invalid segment_id rank " + ids.rank() + " for input of shape " + input);
    }
    if (!input.slice(0, ids.rank()).equals(ids)) {
      throw TributaryException.invalidArgument(
          "segment_ids of shape %s are no prefix of an input of shape %s", ids, input);
    }
    return input.slice(ids.rank(), input.rank());
  }
}
