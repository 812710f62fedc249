package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Convolutions of images that are resized or mirrored before; resized ones compute in float. Of a
 * batch stock takes the first image again and again.
 */
final class ImportedConvOpRows {
  private ImportedConvOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("Conv")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 1, 2, 1), 1f, 2f))
                        .input(Tensor.of(Shape.of(1, 2, 1, 1), 1f, 10f))
                        .attr("strides", List.of(1, 1, 1, 1))
                        .attr("padding", "VALID"),
                Tensor.of(Shape.of(1, 1, 1, 1), 21f))
            .draw(d -> d.flip() ? convolution(d, 2) : convolution(d, 3)),
        row("FusedPadConv2D")
            .example(
                () ->
                    attributes(
                        OpCall.of(Tensor.of(Shape.of(1, 1, 2, 1), 1f, 2f))
                            .constant(Tensor.of(Shape.of(4, 2), 0, 0, 0, 0, 1, 0, 0, 0))
                            .input(Tensor.of(Shape.of(1, 3, 1, 1), 1f, 10f, 100f)),
                        "REFLECT",
                        1,
                        "VALID"),
                Tensor.of(Shape.of(1, 1, 1, 1), 212f))
            .draw(
                d ->
                    attributes(
                        OpCall.of(image(d)).constant(paddings(d)).input(filter(d)),
                        d.oneOf("REFLECT", "SYMMETRIC"),
                        d.integer(1, 2),
                        d.oneOf("SAME", "VALID"))),
        row("FusedResizeAndPadConv2D")
            .example(
                () ->
                    attributes(
                        OpCall.of(Tensor.of(Shape.of(1, 1, 1, 1), 3f))
                            .constant(Tensor.of(2, 2))
                            .constant(Tensor.zeros(INT32, Shape.of(4, 2)))
                            .input(Tensor.of(Shape.of(1, 1, 1, 1), 2f)),
                        "SYMMETRIC",
                        1,
                        "VALID"),
                Tensor.of(Shape.of(1, 2, 2, 1), 6f, 6f, 6f, 6f))
            .draw(
                d ->
                    attributes(
                            OpCall.of(image(d))
                                .constant(Tensor.of(d.integer(3, 6), d.integer(3, 6)))
                                .constant(paddings(d))
                                .input(filter(d)),
                            d.oneOf("REFLECT", "SYMMETRIC"),
                            d.integer(1, 2),
                            d.oneOf("SAME", "VALID"))
                        .attr("resize_align_corners", d.flip())));
  }

  private static OpRow row(String op) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE)
        .tolerance(1e-3)
        .without(Draw.Size.EMPTY, "stock wants images with pixels")
        .without(Draw.Size.SCALAR, "images have four dimensions");
  }

  private static OpCall attributes(OpCall call, String mode, int stride, String padding) {
    return call.attr("mode", mode)
        .attr("strides", List.of(1, stride, stride, 1))
        .attr("padding", padding);
  }

  private static Tensor image(Draw d) {
    return d.tensor(Shape.of(1, d.integer(3, 5), d.integer(3, 5), 2));
  }

  private static Tensor paddings(Draw d) {
    int[] sizes = {0, 0, d.integer(0, 2), d.integer(0, 2), d.integer(0, 2), d.integer(0, 2), 0, 0};
    return Tensor.of(Shape.of(4, 2), sizes);
  }

  private static Tensor filter(Draw d) {
    return d.tensor(Shape.of(d.integer(1, 3), d.integer(1, 3), 2, 3));
  }

  /**
   * @param dimensions 2 for images, 3 for volumes
   */
  private static OpCall convolution(Draw d, int dimensions) {
    Shape image = Shape.of(2);
    Shape filter = Shape.scalar();
    List<Integer> strides = new ArrayList<>(List.of(1));
    int stride = d.integer(1, 2);
    for (int i = 0; i < dimensions; i++) {
      image = image.concatenate(Shape.of(d.integer(3, 5)));
      filter = filter.concatenate(Shape.of(d.integer(1, 3)));
      strides.add(stride);
    }
    strides.add(1);
    return OpCall.of(d.tensor(image.concatenate(Shape.of(2))))
        .input(d.tensor(filter.concatenate(Shape.of(2, 3))))
        .attr("strides", strides)
        .attr("padding", d.oneOf("SAME", "VALID"));
  }
}
