package dev.tributary.badinput;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.error.ErrorCode;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import dev.tributary.optable.OpCall;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;

/** Wrong calls of ops on files and on what is in them. */
final class BadFileCalls {
  private BadFileCalls() {}

  static List<BadCall> all() {
    return List.of(
        notFound("no such file", "ReadFile", () -> OpCall.of(Tensor.scalar("no/such/file"))),
        notFound(
            "no such checkpoint",
            "RestoreV2",
            () ->
                OpCall.of(Tensor.scalar("no/such/model"), Tensor.of("x"), Tensor.of(""))
                    .attr("dtypes", List.of(FLOAT))),
        invalid(
            "fewer names than tensors",
            "SaveV2",
            () ->
                OpCall.of(Tensor.scalar("x"), Tensor.of("a"), Tensor.of(""))
                    .input(Tensor.scalar(1f))
                    .input(Tensor.scalar(1f)),
            "2",
            "1"),
        invalid(
            "strings of two lengths",
            "DecodeRaw",
            () -> OpCall.of(Tensor.of("abcd", "ab")).attr("out_type", INT32),
            "element 1 has size 2 != 4"),
        invalid(
            "half an element",
            "DecodeRaw",
            () -> OpCall.of(Tensor.of("abcdef")).attr("out_type", INT32),
            "length 6",
            "multiple of 4"),
        csv("too few fields", "1", "Expect 2 fields but have 1 in record 0"),
        csv("no number", "1,x", "Field 1 in record 0 is not a valid int32: x"),
        csv("required field", ",2", "Field 0 is required but missing in record 0"),
        csv("quote within", "a\"b,2", "Unquoted fields"),
        csv("quote not doubled", "\"a\"b\",2", "escaped by another quote"),
        csv("quote not closed", "1,\"2", "Quoted field has to end"),
        invalid("no PNG", "DecodePng", () -> OpCall.of(Tensor.scalar("hello")), "PNG"),
        invalid("half a PNG", "DecodePng", () -> OpCall.of(halfPng()), "PNG"),
        invalid("no JPEG", "DecodeJpeg", () -> OpCall.of(Tensor.scalar("hello")), "JPEG"),
        example("required feature", FLOAT, Feature.getDefaultInstance(), "x", "required"),
        example("feature of another type", FLOAT, integers(1, 2), "x", "int64", "float"),
        example("too few values", INT64, integers(1), "x", "1", "[2]"),
        invalid(
            "no example",
            "ParseSingleExample",
            () -> parse(FLOAT, Tensor.scalar("\u0001\u0002\u0003")),
            "example"),
        invalid(
            "one tag twice",
            "MergeSummary",
            () -> OpCall.of(Tensor.of("\n\u0003\n\u0001a", "\n\u0003\n\u0001a")).attr("N", 1),
            "Duplicate tag a"),
        invalid(
            "not a number",
            "HistogramSummary",
            () -> OpCall.of(Tensor.scalar("w"), Tensor.of(1f, Float.NaN)),
            "Nan",
            "w"),
        invalid(
            "two channels",
            "ImageSummary",
            () -> OpCall.of(Tensor.scalar("w"), Tensor.zeros(FLOAT, Shape.of(1, 2, 2, 2))),
            "last dim 1, 3, or 4",
            "[1,2,2,2]"),
        invalid(
            "more tags than values",
            "ScalarSummary",
            () -> OpCall.of(Tensor.of("a", "b"), Tensor.scalar(1f)),
            "[2]"));
  }

  private static BadCall csv(String title, String line, String part) {
    return invalid(
        title,
        "DecodeCSV",
        () ->
            OpCall.of(Tensor.of(line))
                .input(Tensor.of(new String[0]))
                .input(Tensor.of(7))
                .attr("OUT_TYPE", List.of(STRING, INT32)),
        part);
  }

  private static BadCall example(String title, DataType type, Feature feature, String... parts) {
    Example.Builder example = Example.newBuilder();
    example.getFeaturesBuilder().putFeature("x", feature);
    byte[] bytes = example.build().toByteArray();
    return invalid(
        title,
        "ParseSingleExample",
        () -> parse(type, Tensor.ofObjects(STRING, Shape.scalar(), (Object) bytes)),
        parts);
  }

  private static OpCall parse(DataType type, Tensor serialized) {
    return OpCall.of(serialized, Tensor.zeros(type, Shape.of(0)))
        .attr("num_sparse", 0)
        .attr("sparse_keys", List.of())
        .attr("dense_keys", List.of("x"))
        .attr("sparse_types", List.of())
        .attr("Tdense", List.of(type))
        .attr("dense_shapes", List.of(Shape.of(2)));
  }

  private static Feature integers(long... values) {
    Feature.Builder feature = Feature.newBuilder();
    for (long value : values) {
      feature.getInt64ListBuilder().addValue(value);
    }
    return feature.build();
  }

  private static Tensor halfPng() {
    byte[] png = PngImages.encode(new Pixels(20, 20, 1, new byte[400]), 0);
    byte[] half = Arrays.copyOf(png, png.length / 2);
    return Tensor.ofObjects(STRING, Shape.scalar(), (Object) half);
  }

  private static BadCall invalid(String title, String op, Supplier<OpCall> call, String... parts) {
    return new BadCall(title, op, call, ErrorCode.INVALID_ARGUMENT, List.of(parts));
  }

  private static BadCall notFound(String title, String op, Supplier<OpCall> call) {
    return new BadCall(title, op, call, ErrorCode.NOT_FOUND, List.of("no/such/"));
  }
}
