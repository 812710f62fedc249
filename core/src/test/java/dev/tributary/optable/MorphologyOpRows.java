package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.internal.kernel.Window;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Dilation of images, and the orders of their dimensions. */
final class MorphologyOpRows {
  private MorphologyOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("Dilation2D")
            .example(
                () -> valid(OpCall.of(image(), filter())), Tensor.of(Shape.of(1, 1, 2, 1), 4f, 13f))
            .draw(d -> new Images(d).forward())
            .gradientOf(0, 1),
        row("Dilation2DBackpropInput")
            .example(
                () -> valid(OpCall.of(image(), filter(), gradient())),
                Tensor.of(Shape.of(1, 1, 3, 1), 0f, 5f, 6f))
            .draw(d -> new Images(d).gradient()),
        row("Dilation2DBackpropFilter")
            .example(
                () -> valid(OpCall.of(image(), filter(), gradient())),
                Tensor.of(Shape.of(1, 2, 1), 0f, 11f))
            .draw(d -> new Images(d).gradient()),
        OpRow.of("DataFormatDimMap")
            .example(() -> OpCall.of(Tensor.of(0, 1, -1)), Tensor.of(0, 2, 1))
            .types(INT32, INT64)
            .draw(d -> formats(d, OpCall.of(d.indices(d.type(), d.shape(0, 3), -4, 4)))),
        OpRow.of("DataFormatVecPermute")
            .example(() -> OpCall.of(Tensor.of(10, 20, 30, 40)), Tensor.of(10, 40, 20, 30))
            .types(INT32, INT64)
            .without(Draw.Size.EMPTY, "every dimension has a value")
            .without(Draw.Size.SCALAR, "there is a value for each of several dimensions")
            .draw(
                d -> {
                  int rows = d.oneOf(2, 4);
                  Shape shape = d.flip() ? Shape.of(rows) : Shape.of(rows, 2);
                  return formats(d, OpCall.of(d.indices(d.type(), shape, 0, 9)));
                }));
  }

  private static OpRow row(String op) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE, INT32, INT64, INT16, INT8, UINT8, HALF, BFLOAT16)
        .without(Draw.Size.SCALAR, "images have four dimensions");
  }

  private static OpCall formats(Draw d, OpCall call) {
    String[] formats = {"NHWC", "NCHW", "HWNC", "HWCN"};
    return call.attr("src_format", d.oneOf(formats)).attr("dst_format", d.oneOf(formats));
  }

  private static Tensor image() {
    return Tensor.of(Shape.of(1, 1, 3, 1), 1f, 2f, 11f);
  }

  private static Tensor filter() {
    return Tensor.of(Shape.of(1, 2, 1), 0f, 2f);
  }

  private static Tensor gradient() {
    return Tensor.of(Shape.of(1, 1, 2, 1), 5f, 6f);
  }

  private static OpCall valid(OpCall call) {
    return call.attr("strides", new long[] {1, 1, 1, 1})
        .attr("rates", new long[] {1, 1, 1, 1})
        .attr("padding", "VALID");
  }

  /** The shapes of one dilation. */
  private static final class Images {
    private final Draw d;
    private final Shape image;
    private final Shape filter;
    private final long[] strides;
    private final long[] rates;
    private final String padding;

    Images(Draw d) {
      this.d = d;
      long batch = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 2);
      long channels = d.integer(1, 2);
      this.padding = d.oneOf("SAME", "VALID");
      int least = padding.equals("SAME") ? 1 : 5;
      this.image = Shape.of(batch, d.integer(least, 6), d.integer(least, 6), channels);
      this.filter = Shape.of(d.integer(1, 3), d.integer(1, 3), channels);
      this.strides = new long[] {1, d.integer(1, 2), d.integer(1, 2), 1};
      this.rates = new long[] {1, d.integer(1, 2), d.integer(1, 2), 1};
    }

    OpCall forward() {
      boolean distinct = d.type() == FLOAT || d.type() == DOUBLE;
      return attributes(
          distinct
              ? OpCall.of(d.distinct(image, 0.1), d.distinct(filter, 0.013))
              : OpCall.of(d.tensor(image), d.tensor(filter)));
    }

    OpCall gradient() {
      Shape output =
          Shape.of(
              image.size(0),
              Window.of(padding, image.size(1), filter.size(0), strides[1], rates[1]).output(),
              Window.of(padding, image.size(2), filter.size(1), strides[2], rates[2]).output(),
              image.size(3));
      return attributes(OpCall.of(d.tensor(image), d.tensor(filter), d.tensor(output)));
    }

    private OpCall attributes(OpCall call) {
      return call.attr("strides", strides).attr("rates", rates).attr("padding", padding);
    }
  }
}
