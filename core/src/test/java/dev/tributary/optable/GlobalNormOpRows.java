package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Batch normalisation with given statistics, as very old graphs have it. */
final class GlobalNormOpRows {
  private GlobalNormOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("BatchNormWithGlobalNormalization")
            .example(
                () ->
                    OpCall.of(
                            image(3f, 7f),
                            Tensor.of(1f),
                            Tensor.of(3f),
                            Tensor.of(10f),
                            Tensor.of(2f))
                        .attr("variance_epsilon", 1f)
                        .attr("scale_after_normalization", true),
                image(12f, 16f))
            .draw(
                d -> {
                  Shape images = images(d);
                  Shape channels = images.slice(3, 4);
                  return attributes(
                      d,
                      OpCall.of(
                          d.tensor(images),
                          d.tensor(channels),
                          d.tensor(d.type(), channels, 0.1, 2),
                          d.tensor(channels),
                          d.tensor(channels)));
                })
            .gradientOf(0, 1, 2, 3, 4),
        row("BatchNormWithGlobalNormalizationGrad")
            .example(
                () ->
                    OpCall.of(
                            image(3f, 7f),
                            Tensor.of(1f),
                            Tensor.of(3f),
                            Tensor.of(2f),
                            image(4f, 8f))
                        .attr("variance_epsilon", 1f)
                        .attr("scale_after_normalization", true),
                image(4f, 8f),
                Tensor.of(-12f),
                Tensor.of(-7f),
                Tensor.of(12f),
                Tensor.of(28f))
            .draw(
                d -> {
                  Shape images = images(d);
                  Shape channels = images.slice(3, 4);
                  return attributes(
                      d,
                      OpCall.of(
                          d.tensor(images),
                          d.tensor(channels),
                          d.tensor(d.type(), channels, 0.1, 2),
                          d.tensor(channels),
                          d.tensor(images)));
                }));
  }

  private static OpRow row(String op) {
    return OpRow.of(op)
        .types(FLOAT, DOUBLE)
        .tolerance(1e-4)
        .without(Draw.Size.SCALAR, "images have four dimensions");
  }

  private static Tensor image(float... pixels) {
    return Tensor.of(Shape.of(1, 1, pixels.length, 1), pixels);
  }

  private static Shape images(Draw d) {
    long batch = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 3);
    return Shape.of(batch, d.integer(1, 3), d.integer(1, 3), d.integer(1, 4));
  }

  private static OpCall attributes(Draw d, OpCall call) {
    return call.attr("variance_epsilon", 0.01f).attr("scale_after_normalization", d.flip());
  }
}
