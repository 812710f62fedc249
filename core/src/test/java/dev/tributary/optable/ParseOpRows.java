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
import static dev.tributary.tensor.DataType.UINT16;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.internal.wire.TensorProtos;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Ops that unpack strings and parse messages with tensors and sequences. */
final class ParseOpRows {
  private static final DataType[] RAW = {
    FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, UINT16, BFLOAT16
  };
  private static final DataType[] ANY = {FLOAT, DOUBLE, INT32, INT64, UINT8, BOOL, HALF, STRING};

  private ParseOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("DecodeCompressed")
            .example(
                () ->
                    OpCall.of(
                            strings(
                                Shape.of(1),
                                packed("ZLIB", "abc".getBytes(StandardCharsets.UTF_8))))
                        .attr("compression_type", "ZLIB"),
                Tensor.of("abc"))
            .types(STRING)
            .draw(ParseOpRows::decodeCompressed),
        OpRow.of("DecodePaddedRaw")
            .example(
                () ->
                    OpCall.of(Tensor.of("abcd", "a"))
                        .constant(Tensor.scalar(2))
                        .attr("out_type", UINT8),
                Tensor.of(UINT8, Shape.of(2, 2), (byte) 97, (byte) 98, (byte) 97, (byte) 0))
            .types(RAW)
            .draw(ParseOpRows::decodePaddedRaw),
        OpRow.of("ParseTensor")
            .example(
                () -> OpCall.of(message(Tensor.of(1f, 2f))).attr("out_type", FLOAT),
                Tensor.of(1f, 2f))
            .types(ANY)
            .draw(d -> OpCall.of(message(d.tensor(d.shape(0, 4)))).attr("out_type", d.type()))
            .shapeDependsOnValues(),
        OpRow.of("SerializeTensor")
            .example(() -> OpCall.of(Tensor.of(1f, 2f)), message(Tensor.of(1f, 2f)))
            .types(ANY)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 4)))),
        OpRow.of("ParseSequenceExample")
            .example(
                () ->
                    OpCall.of(Tensor.of(""), Tensor.of(new String[0]), Tensor.of(4f))
                        .attr("feature_list_dense_missing_assumed_empty", List.of("l"))
                        .attr("context_sparse_keys", List.of())
                        .attr("context_dense_keys", List.of("d"))
                        .attr("feature_list_sparse_keys", List.of("s"))
                        .attr("feature_list_dense_keys", List.of("l"))
                        .attr("Ncontext_dense", 1)
                        .attr("Nfeature_list_sparse", 1)
                        .attr("Nfeature_list_dense", 1)
                        .attr("Tcontext_dense", List.of(FLOAT))
                        .attr("context_dense_shapes", List.of(Shape.of(1)))
                        .attr("feature_list_sparse_types", List.of(INT64))
                        .attr("feature_list_dense_types", List.of(FLOAT))
                        .attr("feature_list_dense_shapes", List.of(Shape.of(2))),
                Tensor.of(Shape.of(1, 1), 4f),
                Tensor.of(Shape.of(0, 3), new long[0]),
                Tensor.of(new long[0]),
                Tensor.of(1L, 0L, 0L),
                Tensor.of(Shape.of(1, 0, 2), new float[0]),
                Tensor.of(0L))
            .types(ExampleDraws.types())
            .draw(d -> new SequenceDraws(d).parseSequenceExample())
            .shapeDependsOnValues(),
        OpRow.of("ParseSequenceExampleV2")
            .example(
                () ->
                    OpCall.of(Tensor.of(""), Tensor.of(new String[0]))
                        .input(Tensor.of(new String[0]))
                        .input(Tensor.of(new String[0]))
                        .input(Tensor.of(new String[0]))
                        .input(Tensor.of(new String[0]))
                        .input(Tensor.of(new String[0]))
                        .input(Tensor.of("r"))
                        .input(Tensor.of(new boolean[0]))
                        .attr("Tcontext_dense", List.of())
                        .attr("feature_list_ragged_value_types", List.of(FLOAT))
                        .attr("feature_list_ragged_split_types", List.of(INT32)),
                Tensor.of(new float[0]),
                Tensor.of(0, 0),
                Tensor.of(0))
            .types(ExampleDraws.types())
            .draw(d -> new SequenceDraws(d).parseSequenceExampleV2())
            .shapeDependsOnValues(),
        OpRow.of("ParseSingleSequenceExample")
            .example(
                () ->
                    OpCall.of(Tensor.scalar(""), Tensor.of(new String[0]))
                        .input(Tensor.scalar("d"))
                        .input(Tensor.of("x"))
                        .input(Tensor.scalar(""))
                        .attr("Ncontext_sparse", 0)
                        .attr("Nfeature_list_sparse", 0)
                        .attr("Nfeature_list_dense", 0)
                        .attr("Ncontext_dense", 1)
                        .attr("Tcontext_dense", List.of(STRING))
                        .attr("context_dense_shapes", List.of(Shape.of(1))),
                Tensor.of("x"))
            .types(ExampleDraws.types())
            .without(Draw.Size.EMPTY, "it takes one example")
            .draw(d -> new SequenceDraws(d).parseSingleSequenceExample())
            .shapeDependsOnValues());
  }

  private static OpCall decodeCompressed(Draw d) {
    String compression = d.oneOf("", "ZLIB", "GZIP");
    Shape shape = d.shape(0, 3);
    Object[] strings = new Object[(int) shape.elementCount()];
    for (int i = 0; i < strings.length; i++) {
      byte[] bytes = new byte[d.integer(0, 2) * d.integer(0, 40_000)];
      d.random().nextBytes(bytes);
      strings[i] = packed(compression, bytes);
    }
    return OpCall.of(strings(shape, strings)).attr("compression_type", compression);
  }

  private static byte[] packed(String compression, byte[] bytes) {
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    try (OutputStream out =
        compression.isEmpty()
            ? target
            : compression.equals("ZLIB")
                ? new DeflaterOutputStream(target)
                : new GZIPOutputStream(target)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return target.toByteArray();
  }

  private static OpCall decodePaddedRaw(Draw d) {
    Shape shape = d.shape(0, 3);
    Object[] strings = new Object[(int) shape.elementCount()];
    for (int i = 0; i < strings.length; i++) {
      // Small positive bytes: no float of them is a NaN, which compares with nothing.
      byte[] bytes = new byte[d.integer(0, 20)];
      for (int k = 0; k < bytes.length; k++) {
        bytes[k] = (byte) d.integer(0, 60);
      }
      strings[i] = bytes;
    }
    return OpCall.of(strings(shape, strings))
        .constant(Tensor.scalar(d.type().size() * d.integer(1, 3)))
        .attr("out_type", d.type())
        .attr("little_endian", d.flip());
  }

  private static Tensor strings(Shape shape, Object... strings) {
    return Tensor.ofObjects(STRING, shape, strings);
  }

  private static Tensor message(Tensor tensor) {
    try (tensor) {
      return strings(Shape.scalar(), (Object) TensorProtos.toBytes(tensor));
    }
  }
}
