package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.internal.kernel.Window;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Pooling with the places of the largest elements. */
final class ArgmaxPoolOpRows {
  private static final DataType[] ORDERED = {FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16};

  private ArgmaxPoolOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("MaxPoolWithArgmax")
            .example(
                () -> attributes(OpCall.of(image()), 2, "VALID"),
                Tensor.of(Shape.of(1, 1, 1, 1), 4f),
                Tensor.of(Shape.of(1, 1, 1, 1), 1L))
            .draw(ArgmaxPoolOpRows::pool)
            .gradientOf(0),
        row("MaxPoolGradWithArgmax")
            .example(
                () ->
                    attributes(
                        OpCall.of(
                            image(),
                            Tensor.of(Shape.of(1, 1, 1, 1), 7f),
                            Tensor.of(Shape.of(1, 1, 1, 1), 1L)),
                        2,
                        "VALID"),
                Tensor.of(Shape.of(1, 2, 2, 1), 0f, 7f, 0f, 0f))
            .draw(ArgmaxPoolOpRows::gradient));
  }

  private static OpRow row(String op) {
    return OpRow.of(op)
        .types(ORDERED)
        .without(Draw.Size.EMPTY, "images without elements have no largest one")
        .without(Draw.Size.SCALAR, "images have four dimensions");
  }

  private static Tensor image() {
    return Tensor.of(Shape.of(1, 2, 2, 1), 1f, 4f, 3f, 2f);
  }

  private static Shape images(Draw d) {
    return Shape.of(d.integer(1, 2), d.integer(3, 5), d.integer(3, 5), d.integer(1, 2));
  }

  private static OpCall pool(Draw d) {
    return attributes(OpCall.of(d.distinct(images(d), 0.1)), d.integer(1, 3), padding(d))
        .attr("include_batch_in_index", d.flip())
        .attr("Targmax", d.oneOf(INT32, INT64));
  }

  private static OpCall gradient(Draw d) {
    Shape images = images(d);
    int size = d.integer(1, 3);
    String padding = padding(d);
    Shape pooled =
        Shape.of(
            images.size(0),
            Window.of(padding, images.size(1), size, 1, 1).output(),
            Window.of(padding, images.size(2), size, 1, 1).output(),
            images.size(3));
    int limit = (int) images.slice(1, 4).elementCount();
    return attributes(
        OpCall.of(d.tensor(images), d.tensor(pooled), d.indices(INT64, pooled, 0, limit)),
        size,
        padding);
  }

  private static String padding(Draw d) {
    return d.oneOf("SAME", "VALID");
  }

  private static OpCall attributes(OpCall call, int size, String padding) {
    return call.attr("ksize", new long[] {1, size, size, 1})
        .attr("strides", new long[] {1, 1, 1, 1})
        .attr("padding", padding);
  }
}
