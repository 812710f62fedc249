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

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Images of another size. */
final class ResizeOpRows {
  private static final String NO_SCALAR = "images have four dimensions";

  private ResizeOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("ResizeBilinear")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(1, 1, 2, 1), 1f, 3f)).constant(Tensor.of(1, 4)),
                Tensor.of(Shape.of(1, 1, 4, 1), 1f, 2f, 3f, 3f))
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 1, 2, 1), 1f, 3f))
                        .constant(Tensor.of(1, 4))
                        .attr("half_pixel_centers", true),
                Tensor.of(Shape.of(1, 1, 4, 1), 1f, 1.5f, 2.5f, 3f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16, UINT8, INT8, INT16, INT32, INT64)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .draw(ResizeOpRows::resize)
            .gradientOf(0),
        OpRow.of("ResizeBilinearGrad")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(1, 1, 4, 1), 1f, 2f, 4f, 8f),
                        Tensor.of(Shape.of(1, 1, 2, 1), 0f, 0f)),
                Tensor.of(Shape.of(1, 1, 2, 1), 2f, 13f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .draw(ResizeOpRows::gradient),
        OpRow.of("ResizeNearestNeighbor")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(1, 1, 2, 1), 1f, 3f)).constant(Tensor.of(1, 4)),
                Tensor.of(Shape.of(1, 1, 4, 1), 1f, 1f, 3f, 3f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16, UINT8, INT8, INT16, INT32, INT64)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .draw(ResizeOpRows::resize)
            .gradientOf(0),
        OpRow.of("ResizeNearestNeighborGrad")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 1, 4, 1), 1f, 2f, 4f, 8f))
                        .constant(Tensor.of(1, 2)),
                Tensor.of(Shape.of(1, 1, 2, 1), 3f, 12f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16, UINT8, INT8, INT32)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .draw(ResizeOpRows::resize),
        OpRow.of("ResizeBicubic")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(1, 1, 2, 1), 1f, 3f)).constant(Tensor.of(1, 4)),
                Tensor.of(Shape.of(1, 1, 4, 1), 1f, 2f, 3f, 3.1875f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16, UINT8, INT8, INT16, INT32, INT64)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .draw(ResizeOpRows::resize)
            .gradientOf(0),
        OpRow.of("ResizeBicubicGrad")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(1, 1, 2, 1), 1f, 2f),
                        Tensor.of(Shape.of(1, 1, 2, 1), 0f, 0f)),
                Tensor.of(Shape.of(1, 1, 2, 1), 1f, 2f))
            .types(FLOAT, DOUBLE)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .draw(ResizeOpRows::gradient),
        OpRow.of("ResizeArea")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 1, 3, 1), 1f, 4f, 8f))
                        .constant(Tensor.of(1, 2)),
                Tensor.of(Shape.of(1, 1, 2, 1), 2f, 20f / 3))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16, UINT8, INT8, INT16, INT32, INT64)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .draw(
                d ->
                    OpCall.of(d.tensor(images(d)))
                        .constant(Tensor.of(d.integer(1, 9), d.integer(1, 9)))
                        .attr("align_corners", d.flip())),
        OpRow.of("ScaleAndTranslate")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 1, 2, 1), 1f, 3f))
                        .constant(Tensor.of(1, 3))
                        .input(Tensor.of(1f, 1f))
                        .input(Tensor.of(0f, 1f))
                        .attr("kernel_type", "triangle"),
                Tensor.of(Shape.of(1, 1, 3, 1), 0f, 1f, 3f))
            // Not double, whose gradient stock cannot build.
            .types(FLOAT, HALF, BFLOAT16, UINT8, INT8, INT16, INT32, INT64)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .draw(
                d ->
                    scaled(
                        d,
                        OpCall.of(d.tensor(images(d)))
                            .constant(Tensor.of(d.integer(1, 9), d.integer(1, 9)))))
            .gradientOf(0),
        OpRow.of("ScaleAndTranslateGrad")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(1, 1, 3, 1), 1f, 2f, 4f),
                            Tensor.of(Shape.of(1, 1, 2, 1), 0f, 0f),
                            Tensor.of(1f, 1f),
                            Tensor.of(0f, 1f))
                        .attr("kernel_type", "triangle"),
                Tensor.of(Shape.of(1, 1, 2, 1), 2f, 4f))
            .types(FLOAT)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .draw(d -> scaled(d, gradientInputs(d))));
  }

  private static Shape images(Draw d) {
    long batch = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 2);
    return Shape.of(batch, d.integer(1, 6), d.integer(1, 6), d.integer(1, 3));
  }

  private static Shape resized(Draw d, Shape images) {
    return Shape.of(images.size(0), d.integer(1, 9), d.integer(1, 9), images.size(3));
  }

  private static OpCall resize(Draw d) {
    return aligned(
        d, OpCall.of(d.tensor(images(d))).constant(Tensor.of(d.integer(1, 9), d.integer(1, 9))));
  }

  private static OpCall gradient(Draw d) {
    return aligned(d, gradientInputs(d));
  }

  private static OpCall gradientInputs(Draw d) {
    Shape original = images(d);
    return OpCall.of(d.tensor(FLOAT, resized(d, original), -2, 2), d.tensor(original));
  }

  private static OpCall aligned(Draw d, OpCall call) {
    boolean corners = d.flip();
    return call.attr("align_corners", corners).attr("half_pixel_centers", !corners && d.flip());
  }

  private static OpCall scaled(Draw d, OpCall call) {
    return call.input(d.tensor(FLOAT, Shape.of(2), 0.3, 2.5))
        .input(d.tensor(FLOAT, Shape.of(2), -3, 3))
        .attr(
            "kernel_type",
            d.oneOf(
                "lanczos1",
                "lanczos3",
                "lanczos5",
                "gaussian",
                "box",
                "triangle",
                "keyscubic",
                "mitchellcubic"))
        .attr("antialias", d.flip());
  }
}
