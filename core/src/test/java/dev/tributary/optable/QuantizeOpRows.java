package dev.tributary.optable;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.QINT16;
import static dev.tributary.tensor.DataType.QINT32;
import static dev.tributary.tensor.DataType.QINT8;
import static dev.tributary.tensor.DataType.QUINT16;
import static dev.tributary.tensor.DataType.QUINT8;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Values rounded to steps. */
final class QuantizeOpRows {
  private static final String STEPS = "a rounded value has no slope; StockGradientsTest compares";

  private QuantizeOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("FakeQuantWithMinMaxArgs")
            .example(
                () ->
                    OpCall.of(Tensor.of(-1f, 0.4f, 0.6f, 5f))
                        .attr("min", 0f)
                        .attr("max", 3f)
                        .attr("num_bits", 2),
                Tensor.of(0f, 0f, 1f, 3f))
            .types(FLOAT)
            .draw(d -> steps(d, range(d, OpCall.of(values(d, d.shape(0, 3))))))
            .withoutGradientCheck(STEPS),
        OpRow.of("FakeQuantWithMinMaxArgsGradient")
            .example(
                () ->
                    OpCall.of(Tensor.of(1f, 2f, 3f), Tensor.of(-1f, 0.4f, 5f))
                        .attr("min", 0f)
                        .attr("max", 3f)
                        .attr("num_bits", 2),
                Tensor.of(0f, 2f, 0f))
            .types(FLOAT)
            .draw(
                d -> {
                  Shape shape = d.shape(0, 3);
                  return steps(d, range(d, OpCall.of(d.tensor(shape), values(d, shape))));
                }),
        OpRow.of("FakeQuantWithMinMaxVars")
            .example(
                () ->
                    OpCall.of(Tensor.of(-1f, 0.4f, 0.6f, 5f), Tensor.scalar(0f), Tensor.scalar(3f))
                        .attr("num_bits", 2),
                Tensor.of(0f, 0f, 1f, 3f))
            .types(FLOAT)
            .draw(d -> ranges(d, Shape.scalar(), OpCall.of(values(d, d.shape(0, 3)))))
            .withoutGradientCheck(STEPS),
        OpRow.of("FakeQuantWithMinMaxVarsGradient")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(1f, 2f, 3f),
                            Tensor.of(-1f, 0.4f, 5f),
                            Tensor.scalar(0f),
                            Tensor.scalar(3f))
                        .attr("num_bits", 2),
                Tensor.of(0f, 2f, 0f),
                Tensor.scalar(1f),
                Tensor.scalar(3f))
            .types(FLOAT)
            .draw(
                d -> {
                  Shape shape = d.shape(0, 3);
                  return ranges(d, Shape.scalar(), OpCall.of(d.tensor(shape), values(d, shape)));
                }),
        OpRow.of("FakeQuantWithMinMaxVarsPerChannel")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(1, 2), 0.6f, 0.6f),
                            Tensor.of(0f, 0f),
                            Tensor.of(3f, 6f))
                        .attr("num_bits", 2),
                Tensor.of(Shape.of(1, 2), 1f, 0f))
            .types(FLOAT)
            .without(Draw.Size.SCALAR, "there is a dimension of channels")
            .draw(
                d -> {
                  Shape shape = channels(d);
                  return ranges(
                      d, shape.slice(shape.rank() - 1, shape.rank()), OpCall.of(values(d, shape)));
                })
            .withoutGradientCheck(STEPS),
        OpRow.of("FakeQuantWithMinMaxVarsPerChannelGradient")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(1, 2), 1f, 2f),
                            Tensor.of(Shape.of(1, 2), 4f, 4f),
                            Tensor.of(0f, 0f),
                            Tensor.of(3f, 6f))
                        .attr("num_bits", 2),
                Tensor.of(Shape.of(1, 2), 0f, 2f),
                Tensor.of(0f, 0f),
                Tensor.of(1f, 0f))
            .types(FLOAT)
            .without(Draw.Size.SCALAR, "there is a dimension of channels")
            .draw(
                d -> {
                  Shape shape = channels(d);
                  return ranges(
                      d,
                      shape.slice(shape.rank() - 1, shape.rank()),
                      OpCall.of(d.tensor(shape), values(d, shape)));
                }),
        OpRow.of("Dequantize")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(QUINT8, Shape.of(3), (byte) 0, (byte) 51, (byte) -1),
                        Tensor.scalar(0f),
                        Tensor.scalar(5f)),
                Tensor.of(0f, 1f, 5f))
            .types(QUINT8, QINT8, QINT32, QINT16, QUINT16)
            .draw(QuantizeOpRows::dequantize));
  }

  private static OpCall dequantize(Draw d) {
    Shape shape = d.shape(0, 3);
    int axis = shape.rank() > 0 && d.flip() ? d.integer(0, shape.rank() - 1) : -1;
    Shape ranges = axis < 0 ? Shape.scalar() : Shape.of(shape.size(axis));
    return new OpCall()
        .constant(d.tensor(d.type(), shape, -100, 100))
        .input(d.tensor(FLOAT, ranges, -6, -1))
        .input(d.tensor(FLOAT, ranges, 1, 6))
        .attr("axis", axis)
        .attr("mode", d.oneOf("MIN_COMBINED", axis < 0 ? "MIN_FIRST" : "SCALED", "SCALED"))
        .attr("narrow_range", d.flip());
  }

  private static Shape channels(Draw d) {
    Shape shape = d.shape(2, 4);
    return shape.size(-1) > 0 ? shape : shape.withSize(0, 0).withSize(shape.rank() - 1, 3);
  }

  private static Tensor values(Draw d, Shape shape) {
    return d.tensor(FLOAT, shape, -9, 9);
  }

  private static OpCall range(Draw d, OpCall call) {
    float min = -1 - 5 * d.random().nextFloat();
    return call.attr("min", d.flip() ? min : -min / 10).attr("max", 1 + 5 * d.random().nextFloat());
  }

  private static OpCall ranges(Draw d, Shape shape, OpCall call) {
    double low = d.flip() ? -6 : 0.1;
    return steps(
        d, call.input(d.tensor(FLOAT, shape, low, low + 0.5)).input(d.tensor(FLOAT, shape, 1, 6)));
  }

  private static OpCall steps(Draw d, OpCall call) {
    return call.attr("num_bits", d.oneOf(2, 4, 8, 16)).attr("narrow_range", d.flip());
  }
}
