package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.BOOL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

final class StringOpRows {
  private StringOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("AsString")
            .example(() -> OpCall.of(Tensor.of(1.5f, -2f)), Tensor.of("1.500000", "-2.000000"))
            .example(
                () -> OpCall.of(Tensor.of(0.1)).attr("precision", 20),
                Tensor.of("0.10000000000000000555"))
            .example(
                () -> OpCall.of(Tensor.of(1e10, 0.5)).attr("shortest", true),
                Tensor.of("1e+10", "0.5"))
            .example(
                () -> OpCall.of(Tensor.of(-7)).attr("width", 4).attr("fill", "0"),
                Tensor.of("-007"))
            .example(() -> OpCall.of(Tensor.of(true, false)), Tensor.of("true", "false"))
            .types(FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, HALF, BFLOAT16, BOOL, STRING)
            .types(ArrayDraws.COMPLEX)
            .draw(StringOpRows::asString),
        OpRow.of("StringToNumber")
            .example(
                () -> OpCall.of(Tensor.of("1.5", " -2e3 ", "inf")),
                Tensor.of(1.5f, -2000f, Float.POSITIVE_INFINITY))
            .example(() -> OpCall.of(Tensor.of("-12")).attr("out_type", INT32), Tensor.of(-12))
            .types(FLOAT, DOUBLE, INT32, INT64)
            .draw(StringOpRows::stringToNumber),
        OpRow.of("StringJoin")
            .example(
                () -> OpCall.of(Tensor.of("a", "b"), Tensor.scalar("x")).attr("separator", "-"),
                Tensor.of("a-x", "b-x"))
            .types(STRING)
            .draw(StringOpRows::stringJoin),
        OpRow.of("Print")
            .example(
                () ->
                    OpCall.of(Tensor.of(1f, 2f), Tensor.of(3))
                        .attr("message", "three: ")
                        .attr("first_n", 0),
                Tensor.of(1f, 2f))
            .types(FLOAT, DOUBLE, INT32, INT64, BOOL)
            .draw(
                d ->
                    OpCall.of(d.tensor(d.shape(0, 4)), Tensor.of(3), Tensor.of("a"))
                        .attr("first_n", 0))
            .gradientOf(0),
        OpRow.of("Assert").script(StringOpRows::assertion),
        OpRow.of("Timestamp").script(StringOpRows::timestamp));
  }

  private static OpCall asString(Draw d) {
    Shape shape = d.shape(0, 3);
    boolean real = d.type().isFloating();
    OpCall call =
        OpCall.of(elements(d, shape))
            .attr("width", d.integer(-1, 12))
            .attr("fill", d.oneOf("", "+", "-", " ", "0", "#"));
    String notation = d.oneOf("fixed", "scientific", "shortest");
    return real && !notation.equals("fixed")
        ? call.attr(notation, true).attr("precision", d.integer(-1, 20))
        : call;
  }

  private static Tensor elements(Draw d, Shape shape) {
    if (d.type() == STRING) {
      return strings(shape, () -> d.oneOf("", "a", "longer text", "\u00e9"));
    }
    if (d.type() == HALF) {
      short[] bits = new short[(int) shape.elementCount()];
      for (int i = 0; i < bits.length; i++) {
        bits[i] = (short) d.integer(0, 0x7c00);
      }
      return Tensor.of(HALF, shape, bits);
    }
    boolean large = d.flip() && d.type().isFloating();
    return large ? d.tensor(d.type(), shape, -1e30, 1e30) : d.tensor(shape);
  }

  private static OpCall stringToNumber(Draw d) {
    Supplier<String> whole = () -> d.oneOf("", "\t ") + d.integer(-999, 999) + d.oneOf("", "  ");
    Supplier<String> real =
        () ->
            d.oneOf("", " ", "+")
                + d.integer(0, 999)
                + d.oneOf("", ".", ".25")
                + d.oneOf("", "e7\n", "E-2");
    Supplier<String> special =
        () -> d.oneOf("inf", "-Inf", "nan", "0x1F", "1e-50", "1e60", "  ", ".5", "-0");
    Supplier<String> text = d.type().isFloating() ? d.oneOf(whole, real, special) : whole;
    return OpCall.of(strings(d.shape(0, 3), text)).attr("out_type", d.type());
  }

  private static OpCall stringJoin(Draw d) {
    Shape shape = d.shape(0, 3);
    OpCall call = OpCall.of().attr("separator", d.oneOf("", "-", ", "));
    call.input(strings(shape, () -> d.oneOf("", "a", "bc")));
    for (int i = d.integer(0, 2); i > 0; i--) {
      call.input(strings(d.flip() ? shape : Shape.scalar(), () -> d.oneOf("x", "yz", "\u00e9")));
    }
    return call;
  }

  private static Tensor strings(Shape shape, Supplier<String> element) {
    String[] values = new String[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = element.get();
    }
    return Tensor.of(shape, values);
  }

  private static Script assertion(Draw d) {
    Ops tf = Ops.create();
    Operation holds = tf.strings.assertThat(tf.constant(true), tf.constant(1f));
    Output after = tf.withControlDependencies(holds).identity(tf.constant(2f));
    return Script.on(tf).expect(after, Tensor.scalar(2f));
  }

  private static Script timestamp(Draw d) {
    Ops tf = Ops.create();
    Output start = tf.strings.timestamp();
    Output end = tf.withControlDependencies(start.operation()).strings.timestamp();
    Output started = tf.placeholder(DOUBLE, Shape.scalar());
    Output inOrder = tf.lessEqual(start, end);
    Output late = tf.less(started, start);
    Tensor now = Tensor.scalar(System.currentTimeMillis() / 1000.0 - 1);
    List<Tensor> expected = List.of(Tensor.scalar(true), Tensor.scalar(true));
    return Script.on(tf).step(Map.of(started, now), List.of(inOrder, late), List.of(), expected);
  }
}
