package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Colours of images. Stock adjusts them on a CPU only for float. */
final class ColorOpRows {
  private ColorOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("RGBToHSV")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 3), 0f, 1f, 0f, 0.5f, 0.25f, 0.25f)),
                Tensor.of(Shape.of(2, 3), 1f / 3, 1f, 1f, 0f, 0.5f, 0.5f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16)
            .without(Draw.Size.SCALAR, "a pixel has three elements")
            .draw(ColorOpRows::distinctColors)
            .gradientOf(0),
        OpRow.of("HSVToRGB")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 3), 1f / 3, 1f, 1f, 0f, 0.5f, 0.5f)),
                Tensor.of(Shape.of(2, 3), 0f, 1f, 0f, 0.5f, 0.25f, 0.25f))
            .types(FLOAT, DOUBLE, HALF, BFLOAT16)
            .without(Draw.Size.SCALAR, "a pixel has three elements")
            .draw(d -> OpCall.of(d.tensor(d.type(), colors(d, 1), 0, 1))),
        OpRow.of("AdjustHue")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 1, 3), 0.5f, 0.25f, 0f), Tensor.scalar(1f / 3)),
                Tensor.of(Shape.of(1, 1, 3), 0f, 0.5f, 0.25f))
            .types(FLOAT)
            .draw(d -> adjusted(d, -1.5, 1.5)),
        OpRow.of("AdjustSaturation")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 1, 3), 0.5f, 0.25f, 0.25f), Tensor.scalar(2f)),
                Tensor.of(Shape.of(1, 1, 3), 0.5f, 0f, 0f))
            .types(FLOAT)
            .draw(d -> adjusted(d, 0, 3)),
        OpRow.of("AdjustContrast")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(1, 2, 1), 1f, 3f),
                        Tensor.scalar(3f),
                        Tensor.scalar(0f),
                        Tensor.scalar(4f)),
                Tensor.of(Shape.of(1, 2, 1), 0f, 4f))
            .types(FLOAT, DOUBLE, UINT8, INT8, INT16, INT32)
            .draw(
                d ->
                    OpCall.of(
                        d.tensor(images(d)),
                        d.tensor(FLOAT, Shape.scalar(), -2, 3),
                        d.tensor(FLOAT, Shape.scalar(), -4, -3),
                        d.tensor(FLOAT, Shape.scalar(), 3, 4))),
        OpRow.of("AdjustContrastv2")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(1, 2, 1), 1f, 3f), Tensor.scalar(3f)),
                Tensor.of(Shape.of(1, 2, 1), -1f, 5f))
            .types(FLOAT)
            .draw(d -> OpCall.of(d.tensor(images(d)), d.tensor(FLOAT, Shape.scalar(), -2, 3)))
            .gradientOf(0, 1));
  }

  private static Shape colors(Draw d, int lowRank) {
    Shape shape = d.size() == Draw.Size.EMPTY ? Shape.of(0) : Shape.of(d.integer(1, 5));
    for (int i = 2; i < lowRank; i++) {
      shape = shape.concatenate(Shape.of(d.integer(1, 4)));
    }
    return shape.concatenate(Shape.of(3));
  }

  private static Shape images(Draw d) {
    Shape image = Shape.of(d.integer(1, 6), d.integer(1, 6), d.integer(1, 3));
    if (d.size() == Draw.Size.EMPTY) {
      return Shape.of(0).concatenate(image);
    }
    return d.flip() ? image : Shape.of(d.integer(1, 3)).concatenate(image);
  }

  /** Colours of a pixel are far apart, since the hue has kinks where two of them are equal. */
  private static OpCall distinctColors(Draw d) {
    Shape shape = colors(d, 1);
    Tensor colors = d.tensor(d.type(), shape, 0.05, 0.25);
    for (long i = 0; i < colors.elementCount(); i += 3) {
      int first = d.integer(0, 2);
      int second = (first + d.integer(1, 2)) % 3;
      Reals.put(colors, i + first, Reals.at(colors, i + first) + 0.7);
      Reals.put(colors, i + second, Reals.at(colors, i + second) + 0.35);
    }
    return OpCall.of(colors);
  }

  private static OpCall adjusted(Draw d, double low, double high) {
    return OpCall.of(
        d.tensor(FLOAT, colors(d, 3), 0, 1), d.tensor(FLOAT, Shape.scalar(), low, high));
  }
}
