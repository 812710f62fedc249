package dev.tributary.optable;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Rows of the ops on characters of strings, and of those that format and print. */
final class UnicodeOpRows {
  private UnicodeOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("UnicodeScript")
            .example(
                () -> OpCall.of(Tensor.of('A', 0x416, '1', 0x4e2d, 0x300, 0x10fffe, -1, 0x110000)),
                Tensor.of(25, 8, 0, 17, 1, 103, -1, -1))
            .types(INT32)
            .draw(d -> OpCall.of(d.tensor(INT32, d.shape(0, 3), -5, d.oneOf(0x800, 0x12000)))),
        OpRow.of("UnicodeDecode")
            .example(
                () ->
                    OpCall.of(Tensor.of("a\u00e4", "\ud83d\ude00")).attr("input_encoding", "UTF-8"),
                Tensor.of(0L, 2L, 3L),
                Tensor.of(97, 228, 0x1f600))
            .types(STRING)
            .draw(UnicodeOpRows::decode)
            .shapeDependsOnValues(),
        OpRow.of("UnicodeDecodeWithOffsets")
            .example(
                () -> OpCall.of(Tensor.of("\u00e4b")).attr("input_encoding", "UTF-8"),
                Tensor.of(0L, 2L),
                Tensor.of(228, 98),
                Tensor.of(0L, 2L))
            .types(STRING)
            .draw(UnicodeOpRows::decode)
            .shapeDependsOnValues(),
        OpRow.of("UnicodeEncode")
            .example(
                () ->
                    OpCall.of(Tensor.of(97, 228, 0x110000), Tensor.of(0L, 2L, 3L))
                        .attr("output_encoding", "UTF-8"),
                Tensor.of("a\u00e4", "\ufffd"))
            .types(INT32)
            .without(Draw.Size.SCALAR, "rows are parts of a vector")
            .draw(UnicodeOpRows::encode),
        OpRow.of("UnicodeTranscode")
            .example(
                () ->
                    OpCall.of(bytes(Shape.of(1), new byte[] {0, 'a', (byte) 0xd8, 0}))
                        .attr("input_encoding", "UTF-16-BE")
                        .attr("output_encoding", "UTF-8"),
                Tensor.of("a\ufffd"))
            .types(STRING)
            .draw(
                d -> decode(d).attr("output_encoding", d.oneOf("UTF-8", "UTF-16-BE", "UTF-32-BE"))),
        OpRow.of("StringNGrams")
            .example(
                () ->
                    nGrams(Tensor.of("a", "b", "c", "d"), Tensor.of(0L, 3L, 4L))
                        .attr("ngram_widths", List.of(2L))
                        .attr("pad_width", -1)
                        .attr("preserve_short_sequences", false),
                Tensor.of("<|a", "a|b", "b|c", "c|>", "<|d", "d|>"),
                Tensor.of(0L, 4L, 6L))
            .types(STRING)
            .without(Draw.Size.SCALAR, "rows are parts of a vector")
            .draw(UnicodeOpRows::drawnGrams)
            .shapeDependsOnValues(),
        OpRow.of("StringFormat")
            .example(
                () ->
                    OpCall.of(Tensor.of(1, 2, 3, 4, 5, 6, 7), Tensor.scalar("x"))
                        .attr("template", "a: %s, b: %s."),
                Tensor.scalar("a: [1 2 3 ... 5 6 7], b: \"x\"."))
            // Stock prints nothing for no booleans, and [] for nothing of any other type.
            .types(FLOAT, INT32, INT64, UINT8, STRING)
            .types(ArrayDraws.COMPLEX)
            .draw(
                d ->
                    OpCall.of(d.tensor(d.shape(0, 3)), d.tensor(FLOAT, d.shape(0, 1), -2, 2))
                        .attr("template", "{} and {}")
                        .attr("placeholder", "{}")
                        .attr("summarize", d.integer(-1, 3))),
        OpRow.of("PrintV2").script(UnicodeOpRows::print));
  }

  private static Tensor bytes(Shape shape, Object... strings) {
    return Tensor.ofObjects(STRING, shape, strings);
  }

  private static OpCall decode(Draw d) {
    String encoding = d.oneOf("UTF-8", "UTF-8", "UTF-16-BE", "UTF-32-BE", "US-ASCII", "LATIN1");
    Shape shape = d.shape(0, 2);
    Object[] strings = new Object[(int) shape.elementCount()];
    for (int i = 0; i < strings.length; i++) {
      strings[i] = text(d).getBytes(charset(encoding));
    }
    return OpCall.of(bytes(shape, strings))
        .attr("input_encoding", encoding)
        .attr("errors", d.oneOf("replace", "ignore"))
        .attr("replacement_char", d.oneOf(65533, 63, 0x1f600))
        .attr("replace_control_characters", d.flip());
  }

  private static Charset charset(String encoding) {
    return switch (encoding) {
      case "UTF-16-BE" -> StandardCharsets.UTF_16BE;
      case "UTF-32-BE" -> Charset.forName("UTF-32BE");
      case "US-ASCII", "LATIN1" -> StandardCharsets.ISO_8859_1;
      default -> StandardCharsets.UTF_8;
    };
  }

  private static String text(Draw d) {
    StringBuilder text = new StringBuilder();
    for (int i = d.integer(0, 5); i > 0; i--) {
      text.append(d.oneOf("a", "bc", "\t", "\u00e4", "\u4e2d", "\ud83d\ude00", "\u0001"));
    }
    return text.toString();
  }

  private static OpCall encode(Draw d) {
    long[] lengths = new long[d.integer(1, 4)];
    int count = 0;
    for (int i = 0; i < lengths.length && d.size() != Draw.Size.EMPTY; i++) {
      lengths[i] = d.integer(0, 4);
      count += (int) lengths[i];
    }
    int[] points = new int[count];
    for (int i = 0; i < count; i++) {
      points[i] = d.oneOf(97, 228, 0x4e2d, 0x1f600, -1, 0x110000, 0xd800, 0xdc00, 0xfffe, 0xfdd0);
    }
    DataType splits = d.oneOf(INT32, INT64);
    return OpCall.of(Tensor.of(points), ArrayDraws.vector(splits, RaggedOpRows.splits(lengths)))
        .attr("output_encoding", d.oneOf("UTF-8", "UTF-16-BE", "UTF-32-BE"))
        .attr("errors", d.oneOf("replace", "ignore"));
  }

  private static OpCall nGrams(Tensor data, Tensor splits) {
    return OpCall.of(data, splits)
        .attr("separator", "|")
        .attr("left_pad", "<")
        .attr("right_pad", ">");
  }

  private static OpCall drawnGrams(Draw d) {
    long[] lengths = new long[d.integer(1, 4)];
    for (int i = 0; i < lengths.length && d.size() != Draw.Size.EMPTY; i++) {
      lengths[i] = d.integer(0, 4);
    }
    long[] splits = RaggedOpRows.splits(lengths);
    Tensor data =
        TextOpRows.strings(Shape.of(splits[lengths.length]), () -> d.oneOf("a", "b", "cd", ""));
    return nGrams(data, ArrayDraws.vector(d.oneOf(INT32, INT64), splits))
        .attr("ngram_widths", d.flip() ? List.of(2L) : List.of(3L, 1L))
        .attr("pad_width", d.integer(-1, 3))
        .attr("preserve_short_sequences", d.flip());
  }

  private static Script print(Draw d) {
    Ops tf = Ops.create();
    Operation printed =
        tf.scope()
            .operation("PrintV2")
            .input(tf.constant(""))
            .attr("output_stream", d.oneOf("stderr", "stdout"))
            .attr("end", "")
            .build();
    Output after = tf.withControlDependencies(printed).identity(tf.constant(2f));
    return Script.on(tf).expect(after, Tensor.scalar(2f));
  }
}
