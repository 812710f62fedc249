package dev.tributary.badinput;

import static dev.tributary.tensor.DataType.COMPLEX64;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.error.ErrorCode;
import dev.tributary.optable.OpCall;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.Supplier;

/** Wrong calls of ops on messages, vocabularies, crosses and random draws. */
final class BadRecordCalls {
  private BadRecordCalls() {}

  static List<BadCall> all() {
    return List.of(
        new BadCall(
            "no message",
            "DecodeProtoV2",
            () -> decode("tensorflow.Example", "features", "\u0001\u0002"),
            ErrorCode.DATA_LOSS,
            List.of("tensorflow.Example")),
        invalid("unknown message", "DecodeProtoV2", () -> decode("no.Such", "x", ""), "no.Such"),
        invalid(
            "unknown field",
            "DecodeProtoV2",
            () -> decode("tensorflow.Example", "x", ""),
            "Unknown field: x"),
        invalid(
            "no description of messages",
            "DecodeProtoV2",
            () ->
                decode("tensorflow.Example", "features", "")
                    .attr("descriptor_source", "bytes://\u0001\u0002"),
            "FileDescriptorSet"),
        invalid(
            "more values than the field has room for",
            "EncodeProto",
            () ->
                OpCall.of(Tensor.of(Shape.of(1, 1), 2))
                    .input(Tensor.of(Shape.of(1, 1), 5))
                    .attr("message_type", "tensorflow.TensorProto")
                    .attr("field_names", List.of("int_val"))
                    .attr("Tinput_types", List.of(INT32)),
            "int_val",
            "2"),
        notFound(
            "no vocabulary",
            "GenerateVocabRemapping",
            () ->
                OpCall.of(Tensor.scalar("no/such/new"), Tensor.scalar("no/such/old"))
                    .attr("new_vocab_offset", 0)
                    .attr("num_new_vocab", 1)),
        invalid(
            "fewer rows than the matrix",
            "LoadAndRemapMatrix",
            () -> remap(Tensor.of(1L)),
            "num_rows=2"),
        notFound("no checkpoint", "LoadAndRemapMatrix", () -> remap(Tensor.of(1L, 0L))),
        invalid(
            "neither file nor weights", "FixedUnigramCandidateSampler", () -> unigrams(), "none"),
        invalid(
            "more classes than weights",
            "FixedUnigramCandidateSampler",
            () -> unigrams().attr("unigrams", List.of(1f, 2f)),
            "3",
            "2"),
        invalid(
            "other numbers of rows", "RaggedCross", () -> cross(Tensor.of(0L, 1L), "RR"), "1", "2"),
        invalid(
            "splits past the end", "RaggedCross", () -> cross(Tensor.of(0L, 1L, 5L), "RR"), "5"),
        invalid("not square", "Eig", () -> eig(Tensor.zeros(FLOAT, Shape.of(2, 3))), "[2,3]"),
        invalid(
            "least above greatest",
            "ParameterizedTruncatedNormal",
            () ->
                OpCall.of(Tensor.of(3), Tensor.scalar(0f))
                    .input(Tensor.scalar(1f))
                    .input(Tensor.scalar(2f))
                    .input(Tensor.scalar(1f)),
            "2.0",
            "1.0"),
        invalid(
            "seed of two numbers",
            "RandomIndexShuffle",
            () -> OpCall.of(Tensor.scalar(1), Tensor.of(1, 2)).input(Tensor.scalar(5)),
            "[2]"));
  }

  private static OpCall decode(String message, String field, String bytes) {
    return OpCall.of(Tensor.of(bytes))
        .attr("message_type", message)
        .attr("field_names", List.of(field))
        .attr("output_types", List.of(STRING));
  }

  private static OpCall remap(Tensor rows) {
    return OpCall.of(Tensor.scalar("no/such/model"), Tensor.scalar("w"))
        .input(rows)
        .input(Tensor.of(new long[0]))
        .input(Tensor.of(new float[0]))
        .attr("num_rows", 2)
        .attr("num_cols", 1);
  }

  private static OpCall unigrams() {
    return OpCall.of(Tensor.zeros(INT64, Shape.of(1, 1)))
        .attr("num_true", 1)
        .attr("num_sampled", 1)
        .attr("unique", false)
        .attr("range_max", 3);
  }

  private static OpCall cross(Tensor splits, String order) {
    return OpCall.of(Tensor.of("a", "b"), Tensor.of("c"))
        .input(Tensor.of(0L, 1L, 2L))
        .input(splits)
        .attr("Nsparse", 0)
        .attr("input_order", order)
        .attr("hashed_output", false)
        .attr("num_buckets", 0)
        .attr("hash_key", 1)
        .attr("ragged_values_types", List.of(STRING, STRING))
        .attr("ragged_splits_types", List.of(INT64, INT64))
        .attr("sparse_values_types", List.of())
        .attr("dense_types", List.of())
        .attr("out_values_type", STRING)
        .attr("out_row_splits_type", INT64);
  }

  private static OpCall eig(Tensor matrix) {
    return OpCall.of(matrix).attr("Tout", COMPLEX64);
  }

  private static BadCall invalid(String title, String op, Supplier<OpCall> call, String... parts) {
    return new BadCall(title, op, call, ErrorCode.INVALID_ARGUMENT, List.of(parts));
  }

  private static BadCall notFound(String title, String op, Supplier<OpCall> call) {
    return new BadCall(title, op, call, ErrorCode.NOT_FOUND, List.of("no/such/"));
  }
}
