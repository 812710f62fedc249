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

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Resizing, cropping, and the choice among boxes. */
final class ImageOpRows {
  private static final String NO_SCALAR = "images have four dimensions";

  private ImageOpRows() {}

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
            .draw(ImageOpRows::resize)
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
            .draw(
                d -> {
                  Shape original = images(d);
                  return aligned(
                      d,
                      OpCall.of(d.tensor(FLOAT, resized(d, original), -2, 2), d.tensor(original)));
                }),
        OpRow.of("ResizeNearestNeighbor")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(1, 1, 2, 1), 1f, 3f)).constant(Tensor.of(1, 4)),
                Tensor.of(Shape.of(1, 1, 4, 1), 1f, 1f, 3f, 3f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16, UINT8, INT8, INT16, INT32, INT64)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .draw(ImageOpRows::resize)
            .gradientOf(0),
        OpRow.of("ResizeNearestNeighborGrad")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 1, 4, 1), 1f, 2f, 4f, 8f))
                        .constant(Tensor.of(1, 2)),
                Tensor.of(Shape.of(1, 1, 2, 1), 3f, 12f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16, UINT8, INT8, INT32)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .draw(ImageOpRows::resize),
        OpRow.of("CropAndResize")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(1, 2, 2, 1), 1f, 2f, 3f, 4f),
                            Tensor.of(Shape.of(1, 4), 0f, 0f, 1f, 2f),
                            Tensor.of(0))
                        .constant(Tensor.of(1, 3))
                        .attr("extrapolation_value", 9f),
                Tensor.of(Shape.of(1, 1, 3, 1), 2f, 3f, 9f))
            .types(FLOAT, DOUBLE, HALF, UINT8, INT8, INT16, INT32, INT64)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .draw(ImageOpRows::crop)
            .gradientOf(0, 1),
        OpRow.of("CropAndResizeGradImage")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(1, 1, 1, 1), 4f),
                            Tensor.of(Shape.of(1, 4), 0f, 0f, 1f, 1f),
                            Tensor.of(0))
                        .constant(Tensor.of(1, 2, 2, 1))
                        .attr("T", FLOAT),
                Tensor.of(Shape.of(1, 2, 2, 1), 1f, 1f, 1f, 1f))
            .types(FLOAT, DOUBLE, HALF)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .draw(ImageOpRows::cropGradImage),
        OpRow.of("CropAndResizeGradBoxes")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(1, 1, 1, 1), 1f),
                        Tensor.of(Shape.of(1, 2, 2, 1), 1f, 2f, 3f, 4f),
                        Tensor.of(Shape.of(1, 4), 0f, 0f, 1f, 1f),
                        Tensor.of(0)),
                Tensor.of(Shape.of(1, 4), 1f, 0.5f, 1f, 0.5f))
            .types(FLOAT, DOUBLE, HALF, UINT8, INT8, INT16, INT32, INT64)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .tolerance(1e-4)
            .draw(ImageOpRows::cropGradBoxes),
        suppression("NonMaxSuppression").types(FLOAT).draw(d -> suppression(d, false)),
        OpRow.of("NonMaxSuppressionV2")
            .example(() -> boxes().input(Tensor.scalar(0.4f)), Tensor.of(2, 0))
            .types(FLOAT, HALF)
            .draw(d -> suppression(d, false).input(threshold(d, 0, 1)))
            .shapeDependsOnValues(),
        OpRow.of("NonMaxSuppressionV3")
            .example(
                () -> boxes().input(Tensor.scalar(0.4f)).input(Tensor.scalar(0.6f)), Tensor.of(2))
            .types(FLOAT, HALF)
            .draw(ImageOpRows::suppressionV3)
            .shapeDependsOnValues(),
        OpRow.of("NonMaxSuppressionV4")
            .example(
                () ->
                    boxes()
                        .input(Tensor.scalar(0.4f))
                        .input(Tensor.scalar(0.6f))
                        .attr("pad_to_max_output_size", true),
                Tensor.of(2, 0, 0),
                Tensor.scalar(1))
            .types(FLOAT, HALF)
            .draw(d -> suppressionV3(d).attr("pad_to_max_output_size", d.flip()))
            .shapeDependsOnValues(),
        OpRow.of("NonMaxSuppressionV5")
            .example(
                () ->
                    boxes()
                        .input(Tensor.scalar(0.4f))
                        .input(Tensor.scalar(0.1f))
                        .input(Tensor.scalar(0f)),
                Tensor.of(2, 0),
                Tensor.of(0.7f, 0.5f),
                Tensor.scalar(2))
            .types(FLOAT, HALF)
            .draw(ImageOpRows::suppressionV5)
            .shapeDependsOnValues());
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

  private static OpCall aligned(Draw d, OpCall call) {
    boolean corners = d.flip();
    return call.attr("align_corners", corners).attr("half_pixel_centers", !corners && d.flip());
  }

  private static OpCall crop(Draw d) {
    Shape images = Shape.of(2, d.integer(2, 6), d.integer(2, 6), d.integer(1, 2));
    int count = count(d);
    // The gradient of a place between pixels is unsteady at each of them unless the image is even.
    boolean differentiable = d.type() == FLOAT || d.type() == DOUBLE;
    return OpCall.of(
            differentiable ? plane(d, images) : d.tensor(images),
            d.tensor(
                FLOAT, Shape.of(count, 4), differentiable ? 0.1 : -0.3, differentiable ? 0.9 : 1.3),
            d.indices(INT32, Shape.of(count), 0, 2))
        .constant(Tensor.of(d.integer(1, 4), d.integer(1, 4)))
        .attr("method", differentiable || d.flip() ? "bilinear" : "nearest")
        .attr("extrapolation_value", 0.5f);
  }

  /** Images whose elements grow evenly along every dimension. */
  private static Tensor plane(Draw d, Shape images) {
    int count = (int) images.elementCount();
    float[] values = new float[count];
    long[] strides = images.strides();
    for (int i = 0; i < count; i++) {
      long y = i / strides[1] % images.size(1);
      long x = i / strides[2] % images.size(2);
      values[i] = 0.3f * y - 0.2f * x + i % images.size(3);
    }
    if (d.type() == FLOAT) {
      return Tensor.of(images, values);
    }
    double[] doubles = new double[count];
    java.util.Arrays.setAll(doubles, i -> values[i]);
    return Tensor.of(images, doubles);
  }

  private static OpCall cropGradImage(Draw d) {
    int count = count(d);
    int channels = d.integer(1, 2);
    Shape crops = Shape.of(count, d.integer(1, 4), d.integer(1, 4), channels);
    return OpCall.of(
            d.tensor(FLOAT, crops, -2, 2),
            d.tensor(FLOAT, Shape.of(count, 4), -0.3, 1.3),
            d.indices(INT32, Shape.of(count), 0, 2))
        .constant(Tensor.of(2, d.integer(1, 5), d.integer(1, 5), channels))
        .attr("T", d.type())
        .attr("method", d.flip() ? "bilinear" : "nearest");
  }

  private static OpCall cropGradBoxes(Draw d) {
    int count = count(d);
    int channels = d.integer(1, 2);
    return OpCall.of(
        d.tensor(FLOAT, Shape.of(count, d.integer(1, 4), d.integer(1, 4), channels), -2, 2),
        d.tensor(Shape.of(2, d.integer(1, 5), d.integer(1, 5), channels)),
        d.tensor(FLOAT, Shape.of(count, 4), -0.3, 1.3),
        d.indices(INT32, Shape.of(count), 0, 2));
  }

  private static int count(Draw d) {
    return d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 4);
  }

  private static OpRow suppression(String op) {
    return OpRow.of(op).example(ImageOpRows::boxes, Tensor.of(2, 0)).shapeDependsOnValues();
  }

  /** Three boxes, of which the first two overlap by half, with a limit of three. */
  private static OpCall boxes() {
    return OpCall.of(
        Tensor.of(Shape.of(3, 4), 0f, 0f, 1f, 1f, 0f, 0f, 1f, 1.8f, 2f, 2f, 1f, 1f),
        Tensor.of(0.5f, 0.4f, 0.7f),
        Tensor.scalar(3));
  }

  private static OpCall suppression(Draw d, boolean limited) {
    int count = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 30);
    return OpCall.of(
            d.tensor(d.type(), Shape.of(count, 4), 0, 1), d.tensor(d.type(), Shape.of(count), 0, 1))
        .constant(Tensor.scalar(d.integer(0, limited ? 5 : 30)));
  }

  private static OpCall suppressionV3(Draw d) {
    return suppression(d, d.flip()).input(threshold(d, 0, 1)).input(threshold(d, 0, 0.3));
  }

  private static OpCall suppressionV5(Draw d) {
    return suppression(d, d.flip())
        .input(d.tensor(d.type(), Shape.scalar(), 0, 1))
        .input(d.tensor(d.type(), Shape.scalar(), 0, 0.3))
        .input(d.tensor(d.type(), Shape.scalar(), 0, d.flip() ? 0.5 : 1e-9))
        .attr("pad_to_max_output_size", d.flip());
  }

  private static Tensor threshold(Draw d, double low, double high) {
    DataType type = d.type();
    return d.tensor(type, Shape.scalar(), low, high);
  }
}
