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

/** Parts of images, and other places for their pixels. */
final class ImageOpRows {
  private static final String NO_SCALAR = "images have four dimensions";

  private ImageOpRows() {}

  static List<OpRow> rows() {
    return List.of(
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
        OpRow.of("ExtractImagePatches")
            .example(
                () ->
                    patches(
                            OpCall.of(Tensor.of(Shape.of(1, 2, 3, 1), 1f, 2f, 3f, 4f, 5f, 6f)),
                            2,
                            2,
                            1,
                            1)
                        .attr("padding", "VALID"),
                Tensor.of(Shape.of(1, 1, 2, 4), 1f, 2f, 4f, 5f, 2f, 3f, 5f, 6f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16, UINT8, INT8, INT16, INT32, INT64)
            .without(Draw.Size.SCALAR, NO_SCALAR)
            .draw(
                d -> {
                  int batch = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 2);
                  Shape images = Shape.of(batch, d.integer(3, 8), d.integer(3, 8), d.integer(1, 3));
                  OpCall call = OpCall.of(d.tensor(images));
                  return patches(
                          call, d.integer(1, 3), d.integer(1, 2), d.integer(1, 3), d.integer(1, 3))
                      .attr("padding", d.flip() ? "SAME" : "VALID");
                })
            .gradientOf(0),
        transform("ImageProjectiveTransformV2", 0).draw(ImageOpRows::transformed),
        transform("ImageProjectiveTransformV3", 5, Tensor.scalar(5f))
            .draw(d -> transformed(d).input(d.tensor(FLOAT, Shape.scalar(), 0, 9))),
        OpRow.of("RandomCrop")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(1, 2, 1), 1f, 2f)).constant(Tensor.of(1L, 2L)),
                Tensor.of(Shape.of(1, 2, 1), 1f, 2f))
            .types(FLOAT, DOUBLE, UINT8, INT8, INT16, INT32, INT64)
            .without(Draw.Size.SCALAR, "an image has three dimensions")
            .draw(
                d -> {
                  int channels = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 3);
                  Shape image = Shape.of(d.integer(3, 9), d.integer(3, 9), channels);
                  return OpCall.of(d.tensor(image))
                      .constant(Tensor.of((long) d.integer(1, 3), (long) d.integer(1, 3)))
                      .attr("seed", d.integer(0, 1000))
                      .attr("seed2", d.integer(1, 1000));
                }));
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

  private static OpCall patches(OpCall call, int height, int width, int stride, int rate) {
    return call.attr("ksizes", new long[] {1, height, width, 1})
        .attr("strides", new long[] {1, stride, 1, 1})
        .attr("rates", new long[] {1, 1, rate, 1});
  }

  /** Moves an image by one pixel; the example also has a pixel from outside. */
  private static OpRow transform(String op, float outside, Tensor... fill) {
    return OpRow.of(op)
        .example(
            () -> {
              OpCall call =
                  OpCall.of(
                          Tensor.of(Shape.of(1, 1, 3, 1), 1f, 2f, 4f),
                          Tensor.of(Shape.of(1, 8), 1f, 0f, 1f, 0f, 1f, 0f, 0f, 0f))
                      .constant(Tensor.of(1, 3));
              for (Tensor value : fill) {
                call.input(value.retain());
              }
              return call.attr("interpolation", "BILINEAR");
            },
            Tensor.of(Shape.of(1, 1, 3, 1), 2f, 4f, outside))
        .types(FLOAT, DOUBLE, HALF, BFLOAT16, UINT8, INT32, INT64)
        .without(Draw.Size.SCALAR, NO_SCALAR);
  }

  private static OpCall transformed(Draw d) {
    int batch = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 3);
    int count = d.flip() ? batch : 1;
    float[] transforms = new float[8 * count];
    for (int i = 0; i < transforms.length; i++) {
      double range = i % 8 > 5 ? 0.05 : i % 3 == 2 ? 9 : 2;
      transforms[i] = (float) (range * (d.random().nextDouble() - 0.5));
    }
    return OpCall.of(
            d.tensor(Shape.of(batch, d.integer(1, 6), d.integer(1, 6), d.integer(1, 3))),
            Tensor.of(Shape.of(count, 8), transforms))
        .constant(Tensor.of(d.integer(1, 7), d.integer(1, 7)))
        .attr("interpolation", d.flip() ? "NEAREST" : "BILINEAR")
        .attr("fill_mode", d.oneOf("CONSTANT", "NEAREST", "REFLECT", "WRAP"));
  }
}
