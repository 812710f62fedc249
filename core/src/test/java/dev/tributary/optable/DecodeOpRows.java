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

import dev.tributary.graph.Output;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.ArrayList;
import java.util.List;

final class DecodeOpRows {
  private DecodeOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("DecodeRaw")
            .example(
                () -> OpCall.of(string(1, 0, 2, 0)).attr("out_type", INT16),
                Tensor.of(INT16, Shape.of(2), (short) 1, (short) 2))
            .example(
                () ->
                    OpCall.of(string(0, 0, 1, 2))
                        .attr("out_type", INT32)
                        .attr("little_endian", false),
                Tensor.of(258))
            .types(HALF, FLOAT, DOUBLE, INT32, UINT8, INT16, INT8, INT64, BOOL, BFLOAT16)
            .types(ArrayDraws.COMPLEX)
            .draw(DecodeOpRows::raw)
            .shapeDependsOnValues(),
        OpRow.of("DecodeCSV")
            .example(
                () ->
                    OpCall.of(Tensor.of("1,\"a,\"\"b\"\"\",", "-2,c,0.5"))
                        .input(Tensor.of(7))
                        .input(Tensor.of(""))
                        .input(Tensor.of(9f)),
                Tensor.of(1, -2),
                Tensor.of("a,\"b\"", "c"),
                Tensor.of(9f, 0.5f))
            .example(
                () ->
                    OpCall.of(Tensor.scalar("1;2;NA;4"))
                        .input(Tensor.of(0L))
                        .input(Tensor.of(5.0))
                        .attr("field_delim", ";")
                        .attr("na_value", "NA")
                        .attr("select_cols", List.of(1, 2)),
                Tensor.scalar(2L),
                Tensor.scalar(5.0))
            .types(FLOAT, DOUBLE, INT32, INT64, STRING)
            .draw(DecodeOpRows::csv),
        OpRow.of("DecodePng")
            .example(
                () -> OpCall.of(file(PngImages.encode(gradient(), -1))),
                Tensor.of(UINT8, Shape.of(1, 2, 3), gradient().samples()))
            .types(UINT8)
            .without(Draw.Size.EMPTY, "an image has at least one pixel")
            // Opacity that stock adds to images of less than 8 bits is all but transparent.
            .draw(
                d -> {
                  int channels = d.oneOf(0, 1, 3, 4);
                  return OpCall.of(file(ImageDraws.png(d.random(), channels != 4)))
                      .attr("channels", channels);
                })
            .shapeDependsOnValues(),
        OpRow.of("DecodeJpeg")
            .example(
                () -> OpCall.of(file(ImageDraws.blackJpeg())),
                Tensor.zeros(UINT8, Shape.of(2, 3, 3)))
            .types(UINT8)
            .without(Draw.Size.EMPTY, "an image has at least one pixel")
            .draw(
                d ->
                    OpCall.of(file(ImageDraws.jpeg(d.random(), d.flip())))
                        .attr("channels", d.oneOf(0, 1, 3))
                        .attr("ratio", d.oneOf(1, 2, 4, 8)))
            .withoutStock("decoders of JPEG round differently; see StockImagesTest")
            .shapeDependsOnValues(),
        OpRow.of("EncodePng").types(UINT8).script(DecodeOpRows::encodePng),
        OpRow.of("ParseExample")
            .example(
                () ->
                    OpCall.of(Tensor.of(""), Tensor.of(new String[0]))
                        .input(Tensor.scalar("s"))
                        .input(Tensor.scalar("d"))
                        .input(Tensor.of(4f))
                        .attr("Nsparse", 1)
                        .attr("Ndense", 1)
                        .attr("sparse_types", List.of(INT64))
                        .attr("Tdense", List.of(FLOAT))
                        .attr("dense_shapes", List.of(Shape.of(1))),
                Tensor.of(Shape.of(0, 2), new long[0]),
                Tensor.of(new long[0]),
                Tensor.of(1L, 0L),
                Tensor.of(Shape.of(1, 1), 4f))
            .types(ExampleDraws.types())
            .draw(d -> new ExampleDraws(d).parseExample())
            .shapeDependsOnValues(),
        OpRow.of("ParseExampleV2")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(""),
                            Tensor.of(new String[0]),
                            Tensor.of(new String[0]),
                            Tensor.of(new String[0]),
                            Tensor.of("r"))
                        .attr("num_sparse", 0)
                        .attr("sparse_types", List.of())
                        .attr("Tdense", List.of())
                        .attr("ragged_value_types", List.of(FLOAT))
                        .attr("ragged_split_types", List.of(INT32))
                        .attr("dense_shapes", List.of()),
                Tensor.of(new float[0]),
                Tensor.of(0, 0))
            .types(ExampleDraws.types())
            .draw(d -> new ExampleDraws(d).parseExampleV2())
            .shapeDependsOnValues(),
        OpRow.of("ParseSingleExample")
            .example(
                () ->
                    OpCall.of(Tensor.scalar(""), Tensor.of("x"))
                        .attr("num_sparse", 0)
                        .attr("sparse_keys", List.of())
                        .attr("dense_keys", List.of("d"))
                        .attr("sparse_types", List.of())
                        .attr("Tdense", List.of(STRING))
                        .attr("dense_shapes", List.of(Shape.of(1))),
                Tensor.of("x"))
            .types(ExampleDraws.types())
            .draw(d -> new ExampleDraws(d).parseSingleExample())
            .shapeDependsOnValues());
  }

  private static OpCall raw(Draw d) {
    Shape shape = d.shape(0, 3);
    int length = d.type().size() * d.integer(0, 4);
    Object[] strings = new Object[(int) shape.elementCount()];
    for (int i = 0; i < strings.length; i++) {
      byte[] bytes = new byte[length];
      for (int j = 0; j < length; j++) {
        bytes[j] = (byte) d.integer(0, d.type() == BOOL ? 1 : 100);
      }
      strings[i] = bytes;
    }
    return OpCall.of(Tensor.ofObjects(STRING, shape, strings))
        .attr("out_type", d.type())
        .attr("little_endian", d.flip());
  }

  /** Lines of three columns, of which the second may be left out by a selection. */
  private static OpCall csv(Draw d) {
    Shape shape = d.shape(0, 2);
    boolean selects = d.flip();
    String delimiter = d.oneOf(",", ";", "\t");
    String[] lines = new String[(int) shape.elementCount()];
    for (int i = 0; i < lines.length; i++) {
      lines[i] = field(d) + delimiter + d.oneOf("z", "\"q,;\"") + delimiter + field(d);
    }
    OpCall call = OpCall.of(Tensor.of(shape, lines)).attr("field_delim", delimiter);
    call.attr("na_value", "NA");
    List<DataType> types = new ArrayList<>(List.of(d.type(), STRING, d.type()));
    if (selects) {
      types.remove(1);
      call.attr("select_cols", List.of(0, 2));
    }
    for (DataType type : types) {
      call.input(type == STRING ? Tensor.of("default") : d.tensor(type, Shape.of(1), 0, 9));
    }
    return call.attr("OUT_TYPE", types);
  }

  private static String field(Draw d) {
    String whole = d.oneOf("", "NA", "12", "-7", " 3 ", "\"5\"");
    if (d.type() == STRING) {
      return d.oneOf(whole, "\"a\"\"b\"", "text with blanks", "\"\"");
    }
    return d.type().isFloating() ? d.oneOf(whole, "1.5", "-2e3", "inf") : whole;
  }

  private static Script encodePng(Draw d) {
    Ops tf = Ops.create();
    Pixels pixels = ImageDraws.pixels(d.random(), d.integer(1, 4));
    Shape shape = Shape.of(pixels.height(), pixels.width(), pixels.channels());
    Output image = Constants.taking(tf, Tensor.of(UINT8, shape, pixels.samples()));
    Output decoded = tf.io.decodePng(tf.io.encodePng(image), 0);
    return Script.on(tf).expect(decoded, Tensor.of(UINT8, shape, pixels.samples()));
  }

  private static Pixels gradient() {
    return new Pixels(1, 2, 3, new byte[] {0, 1, 2, 100, (byte) 200, (byte) 255});
  }

  private static Tensor file(byte[] content) {
    return Tensor.ofObjects(STRING, Shape.scalar(), (Object) content);
  }

  private static Tensor string(int... bytes) {
    byte[] content = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      content[i] = (byte) bytes[i];
    }
    return file(content);
  }
}
