package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.QINT16;
import static dev.tributary.tensor.DataType.QINT32;
import static dev.tributary.tensor.DataType.QINT8;
import static dev.tributary.tensor.DataType.QUINT16;
import static dev.tributary.tensor.DataType.QUINT8;

import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Numbers made quantised, real again, or quantised in another range. */
final class RequantizeOpRows {
  private static final String STEPS = "a rounded value has no slope, but gradients pass through";

  private RequantizeOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("QuantizeV2")
            .example(
                () ->
                    OpCall.of(Tensor.of(-1f, 0f, 1f, 9f), Tensor.scalar(0f), Tensor.scalar(5f))
                        .attr("T", QUINT8),
                Tensor.of(QUINT8, Shape.of(4), (byte) 0, (byte) 0, (byte) 51, (byte) -1),
                Tensor.scalar(0f),
                Tensor.scalar(5f))
            .types(QUINT8, QINT8, QINT32, QINT16, QUINT16)
            .draw(RequantizeOpRows::quantize),
        OpRow.of("QuantizeAndDequantize")
            .example(
                () ->
                    OpCall.of(Tensor.of(-9f, 0.4f, 0.6f, 5f))
                        .attr("signed_input", false)
                        .attr("num_bits", 2)
                        .attr("range_given", true)
                        .attr("input_max", 3f),
                Tensor.of(0f, 0f, 1f, 3f))
            .types(FLOAT, DOUBLE)
            .draw(
                d ->
                    OpCall.of(values(d, d.shape(0, 3)))
                        .attr("signed_input", d.flip())
                        .attr("num_bits", d.oneOf(2, 4, 8, 16))
                        .attr("range_given", d.flip())
                        .attr("input_min", -1 - 5 * d.random().nextFloat())
                        .attr("input_max", 1 + 5 * d.random().nextFloat()))
            .withoutGradientCheck(STEPS),
        roundTrip("QuantizeAndDequantizeV2"),
        OpRow.of("QuantizeAndDequantizeV3")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(-9f, 0.4f, 0.6f, 5f),
                            Tensor.scalar(0f),
                            Tensor.scalar(3f),
                            Tensor.scalar(2))
                        .attr("signed_input", false),
                Tensor.of(0f, 0f, 1f, 3f))
            .types(FLOAT, DOUBLE)
            .without(Draw.Size.SCALAR, "stock takes a scalar for too few dimensions")
            .draw(
                d ->
                    sliced(d, OpCall.of(values(d, d.shape(1, 3))), 0)
                        .input(Tensor.scalar(d.oneOf(2, 4, 8, 16)))
                        .attr("signed_input", d.flip())
                        .attr("range_given", d.flip())
                        .attr("narrow_range", d.flip()))
            .withoutGradientCheck(STEPS),
        roundTrip("QuantizeAndDequantizeV4"),
        OpRow.of("QuantizeAndDequantizeV4Grad")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(1f, 2f, 3f),
                        Tensor.of(-9f, 1f, 9f),
                        Tensor.scalar(0f),
                        Tensor.scalar(3f)),
                Tensor.of(0f, 2f, 0f),
                Tensor.scalar(0f),
                Tensor.scalar(0f))
            .types(FLOAT, DOUBLE)
            .draw(
                d -> {
                  Shape shape = d.shape(0, 3);
                  return sliced(d, OpCall.of(d.tensor(shape), values(d, shape)), 1);
                }),
        wide("QuantizeDownAndShrinkRange")
            .example(
                () ->
                    OpCall.of(numbers(0, 1 << 30), Tensor.scalar(-2f), Tensor.scalar(2f))
                        .attr("out_type", QUINT8),
                Tensor.of(QUINT8, Shape.of(2), (byte) 0, (byte) -1),
                Tensor.scalar(0f),
                Tensor.scalar(1f))
            .draw(d -> ranged(d).attr("out_type", QUINT8)),
        wide("RequantizationRange")
            .example(
                () -> OpCall.of(numbers(0, 1 << 30), Tensor.scalar(-2f), Tensor.scalar(2f)),
                Tensor.scalar(0f),
                Tensor.scalar(1f))
            .draw(RequantizeOpRows::ranged),
        wide("Requantize")
            .example(
                () ->
                    OpCall.of(
                            numbers(0, 1 << 30),
                            Tensor.scalar(-2f),
                            Tensor.scalar(2f),
                            Tensor.scalar(0f),
                            Tensor.scalar(1f))
                        .attr("out_type", QUINT8),
                Tensor.of(QUINT8, Shape.of(2), (byte) 0, (byte) -1),
                Tensor.scalar(0f),
                Tensor.scalar(1f))
            .draw(
                d ->
                    ranged(d)
                        .input(d.tensor(FLOAT, Shape.scalar(), -3, 0))
                        .input(d.tensor(FLOAT, Shape.scalar(), 0, 3))
                        .attr("out_type", d.oneOf(QUINT8, QINT8))),
        channels("RequantizationRangePerChannel")
            .example(
                () ->
                    OpCall.of(
                            numbers(0, 1 << 30).reshape(Shape.of(1, 1, 1, 2)),
                            Tensor.of(-2f, -2f),
                            Tensor.of(2f, 2f))
                        .attr("clip_value_max", 6f),
                Tensor.scalar(0f),
                Tensor.scalar(1f))
            .draw(d -> channels(d).attr("clip_value_max", d.oneOf(0.5f, 6f))),
        channels("RequantizePerChannel")
            .example(
                () ->
                    OpCall.of(
                        numbers(0, 1 << 30).reshape(Shape.of(1, 1, 1, 2)),
                        Tensor.of(-2f, -2f),
                        Tensor.of(2f, 2f),
                        Tensor.scalar(0f),
                        Tensor.scalar(1f)),
                Tensor.of(QUINT8, Shape.of(1, 1, 1, 2), (byte) 0, (byte) -1),
                Tensor.scalar(0f),
                Tensor.scalar(1f))
            .draw(
                d ->
                    channels(d)
                        .input(d.tensor(FLOAT, Shape.scalar(), -3, -1))
                        .input(d.tensor(FLOAT, Shape.scalar(), 1, 3))
                        .attr("out_type", d.oneOf(QUINT8, QINT8))));
  }

  private static OpRow wide(String op) {
    return OpRow.of(op).types(QINT32);
  }

  private static OpRow channels(String op) {
    return wide(op)
        .without(Draw.Size.EMPTY, "stock refuses images without elements")
        .without(Draw.Size.SCALAR, "images have four dimensions");
  }

  private static OpRow roundTrip(String op) {
    return OpRow.of(op)
        .example(
            () ->
                OpCall.of(Tensor.of(-9f, 0.4f, 0.6f, 5f), Tensor.scalar(0f), Tensor.scalar(3f))
                    .attr("signed_input", false)
                    .attr("range_given", true)
                    .attr("num_bits", 2),
            Tensor.of(0f, 0f, 1f, 3f))
        .types(FLOAT, DOUBLE)
        .draw(
            d -> {
              OpCall call = sliced(d, OpCall.of(values(d, d.shape(0, 3))), 0);
              // Stock takes no ranges of slices, but finds them.
              boolean single = call.inputs().get(1).rank() == 0;
              return call.attr("signed_input", d.flip())
                  .attr("range_given", single && d.flip())
                  .attr("num_bits", d.oneOf(2, 4, 8, 16))
                  .attr("round_mode", d.oneOf("HALF_TO_EVEN", "HALF_UP"))
                  .attr("narrow_range", d.flip());
            })
        .withoutGradientCheck(STEPS);
  }

  private static OpCall quantize(Draw d) {
    Shape shape = d.shape(0, 3);
    int axis = shape.rank() > 0 && d.flip() ? d.integer(0, shape.rank() - 1) : -1;
    if (axis >= 0 && shape.size(axis) == 1) {
      axis = -1; // Stock gives scalars for the ranges of a single slice.
    }
    Shape ranges = axis < 0 ? Shape.scalar() : Shape.of(shape.size(axis));
    boolean wide = d.type() == QINT32;
    String mode = d.oneOf("MIN_COMBINED", axis < 0 ? "MIN_FIRST" : "SCALED", "SCALED");
    // Stock's conversion of the last number of qint32 overflows.
    return OpCall.of(
            d.tensor(FLOAT, shape, wide ? -1 : -9, wide ? 1 : 9),
            d.tensor(FLOAT, ranges, -6, -1),
            d.tensor(FLOAT, ranges, 1.5, 6))
        .attr("T", d.type())
        .attr("axis", axis)
        .attr("mode", mode)
        .attr(
            "round_mode",
            mode.equals("SCALED") && d.flip() ? "HALF_TO_EVEN" : "HALF_AWAY_FROM_ZERO")
        .attr("narrow_range", d.flip());
  }

  /** Adds ranges of all elements of an input, or of the slices along an axis. */
  private static OpCall sliced(Draw d, OpCall call, int input) {
    Shape shape = call.inputs().get(input).shape();
    int axis = shape.rank() > 0 && d.flip() ? d.integer(0, shape.rank() - 1) : -1;
    Shape ranges = axis < 0 ? Shape.scalar() : Shape.of(shape.size(axis));
    return call.input(d.tensor(d.type(), ranges, -6, -1))
        .input(d.tensor(d.type(), ranges, 1, 6))
        .attr("axis", axis);
  }

  private static Tensor values(Draw d, Shape shape) {
    return d.tensor(d.type(), shape, -9, 9);
  }

  private static Tensor numbers(int... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(numbers);
    return Tensor.of(QINT32, Shape.of(numbers.length), bytes.array());
  }

  private static OpCall ranged(Draw d) {
    return OpCall.of(
        wideNumbers(d, d.shape(0, 3)),
        d.tensor(FLOAT, Shape.scalar(), -3, -1),
        d.tensor(FLOAT, Shape.scalar(), 1, 3));
  }

  private static OpCall channels(Draw d) {
    Shape shape = d.shape(4, 4);
    Shape ranges = Shape.of(shape.size(-1));
    return OpCall.of(
        wideNumbers(d, shape), d.tensor(FLOAT, ranges, -3, -1), d.tensor(FLOAT, ranges, 1, 3));
  }

  private static Tensor wideNumbers(Draw d, Shape shape) {
    Tensor tensor = Tensor.allocate(DataType.QINT32, shape);
    for (long i = 0; i < tensor.elementCount(); i++) {
      Memory.putInt(tensor.storage().address() + 4 * i, d.random().nextInt());
    }
    return tensor;
  }
}
