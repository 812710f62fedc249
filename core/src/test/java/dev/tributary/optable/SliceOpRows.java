package dev.tributary.optable;

import static dev.tributary.optable.ArrayDraws.ALL;

import dev.tributary.internal.kernel.array.SliceSpec;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

final class SliceOpRows {
  private SliceOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("Slice")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 3), 1f, 2f, 3f, 4f, 5f, 6f))
                        .constant(Tensor.of(0, 1))
                        .constant(Tensor.of(-1, 2)),
                Tensor.of(Shape.of(2, 2), 2f, 3f, 5f, 6f))
            .types(ALL)
            .draw(SliceOpRows::slice)
            .gradientOf(0),
        OpRow.of("StridedSlice")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 3), 1f, 2f, 3f, 4f, 5f, 6f))
                        .constant(Tensor.of(1, -1))
                        .constant(Tensor.of(2, 0))
                        .constant(Tensor.of(1, -2))
                        .attr("end_mask", 2)
                        .attr("shrink_axis_mask", 1),
                Tensor.of(6f, 4f))
            .example(
                () ->
                    OpCall.of(Tensor.of(1f, 2f, 3f))
                        .constant(Tensor.of(0, 0))
                        .constant(Tensor.of(0, 0))
                        .constant(Tensor.of(1, 1))
                        .attr("ellipsis_mask", 1)
                        .attr("new_axis_mask", 2),
                Tensor.of(Shape.of(3, 1), 1f, 2f, 3f))
            .types(ALL)
            .draw(SliceOpRows::stridedSlice)
            .gradientOf(0),
        OpRow.of("StridedSliceGrad")
            .example(
                () ->
                    OpCall.of()
                        .constant(Tensor.of(5))
                        .constant(Tensor.of(3))
                        .constant(Tensor.of(0))
                        .constant(Tensor.of(-2))
                        .input(Tensor.of(1f, 2f)),
                Tensor.of(0f, 2f, 0f, 1f, 0f))
            .types(ALL)
            .draw(SliceOpRows::stridedSliceGrad)
            .gradientOf(4));
  }

  private static OpCall slice(Draw d) {
    Shape shape = d.shape(0, 4);
    long[] begin = new long[shape.rank()];
    long[] size = new long[shape.rank()];
    for (int i = 0; i < begin.length; i++) {
      begin[i] = d.integer(0, (int) shape.size(i));
      size[i] = d.integer(0, 4) == 0 ? -1 : d.integer(0, (int) (shape.size(i) - begin[i]));
    }
    DataType type = ArrayDraws.indexType(d);
    return OpCall.of(d.tensor(shape))
        .constant(ArrayDraws.vector(type, begin))
        .constant(ArrayDraws.vector(type, size));
  }

  /** A slice of a tensor in the short form: what begin, end, strides and the masks say. */
  private record Cut(long[] begin, long[] end, long[] strides, SliceSpec.Masks masks) {
    OpCall addTo(OpCall call, DataType type) {
      return call.constant(ArrayDraws.vector(type, begin))
          .constant(ArrayDraws.vector(type, end))
          .constant(ArrayDraws.vector(type, strides));
    }

    OpCall mask(OpCall call) {
      return call.attr("begin_mask", masks.begin())
          .attr("end_mask", masks.end())
          .attr("ellipsis_mask", masks.ellipsis())
          .attr("new_axis_mask", masks.newAxis())
          .attr("shrink_axis_mask", masks.shrinkAxis());
    }
  }

  private static OpCall stridedSlice(Draw d) {
    Shape shape = d.shape(0, 4);
    Cut cut = cut(d, shape);
    return cut.mask(cut.addTo(OpCall.of(d.tensor(shape)), ArrayDraws.anyIndexType(d)));
  }

  private static OpCall stridedSliceGrad(Draw d) {
    Shape shape = d.shape(0, 4);
    Cut cut = cut(d, shape);
    DataType type = ArrayDraws.indexType(d);
    Shape result = SliceSpec.of(shape, cut.begin(), cut.end(), cut.strides(), cut.masks()).result();
    OpCall call = OpCall.of().constant(ArrayDraws.vector(type, shape.toArray()));
    return cut.mask(cut.addTo(call, type).input(d.tensor(result)));
  }

  /**
   * Entries for some leading dimensions, perhaps an ellipsis and some trailing ones, and new axes
   * in between.
   */
  private static Cut cut(Draw d, Shape shape) {
    int rank = shape.rank();
    int leading = d.integer(0, rank);
    int trailing = d.flip() ? d.integer(0, rank - leading) : 0;
    boolean ellipsis = trailing > 0 || d.flip();
    int added = d.integer(0, 2);
    int entries = leading + trailing + added + (ellipsis ? 1 : 0);
    long[] begin = new long[entries];
    long[] end = new long[entries];
    long[] strides = new long[entries];
    long[] masks = new long[5];
    int dimension = 0;
    for (int i = 0; i < entries; i++) {
      strides[i] = d.oneOf(1, 1, 2, -1, -2, 3);
      boolean atEllipsis = ellipsis && masks[2] == 0 && dimension == leading;
      int left = entries - i - (ellipsis && masks[2] == 0 ? 1 : 0) - added;
      if (atEllipsis) {
        masks[2] = 1L << i;
        dimension = rank - trailing;
      } else if (added > 0 && (d.flip() || left == 0)) {
        masks[3] |= 1L << i;
        added--;
      } else {
        int size = (int) shape.size(dimension++);
        boolean shrink = size > 0 && d.integer(0, 3) == 0;
        begin[i] = shrink ? d.integer(-size, size - 1) : d.integer(-size - 2, size + 2);
        end[i] = d.integer(-size - 2, size + 2);
        strides[i] = shrink ? 1 : strides[i];
        masks[0] |= !shrink && d.integer(0, 2) == 0 ? 1L << i : 0;
        masks[1] |= d.integer(0, 2) == 0 ? 1L << i : 0;
        masks[4] |= shrink ? 1L << i : 0;
      }
    }
    return new Cut(
        begin, end, strides, new SliceSpec.Masks(masks[0], masks[1], masks[2], masks[3], masks[4]));
  }
}
