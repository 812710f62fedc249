package dev.tributary.badinput;

import dev.tributary.error.ErrorCode;
import dev.tributary.optable.OpCall;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Wrong calls of ops on strings, sparse and ragged tensors, sets and counts. */
final class BadTextCalls {
  private BadTextCalls() {}

  static List<BadCall> all() {
    return Stream.of(patternsAndCounts(), strings(), sparse()).flatMap(List::stream).toList();
  }

  private static List<BadCall> strings() {
    return List.of(
        invalid(
            "no such compression",
            "DecodeCompressed",
            () -> OpCall.of(Tensor.of("abc")).attr("compression_type", "LZ4"),
            "LZ4"),
        invalid(
            "length that is no multiple of an element",
            "DecodePaddedRaw",
            () -> OpCall.of(Tensor.of("abc"), Tensor.scalar(3)).attr("out_type", DataType.INT32),
            "fixed_length (3)",
            "(4)"),
        invalid(
            "no tensor",
            "ParseTensor",
            () -> OpCall.of(Tensor.scalar("abc")).attr("out_type", DataType.FLOAT),
            "TensorProto"),
        invalid(
            "position behind the end",
            "Substr",
            () -> OpCall.of(Tensor.of("abc"), Tensor.scalar(4), Tensor.scalar(1)),
            "pos 4"),
        invalid(
            "character before the start",
            "Substr",
            () ->
                OpCall.of(Tensor.of("\u00e4"), Tensor.scalar(-2), Tensor.scalar(1))
                    .attr("unit", "UTF8_CHAR"),
            "pos -2"),
        invalid(
            "positions and lengths that differ",
            "Substr",
            () -> OpCall.of(Tensor.of("abc"), Tensor.of(0, 1), Tensor.of(1)),
            "[2]",
            "[1]"),
        invalid("no base64", "DecodeBase64", () -> OpCall.of(Tensor.of("a+b/")), "base64"),
        invalid(
            "bytes that are no UTF-8",
            "UnicodeDecode",
            () -> OpCall.of(bytes(0xff)).attr("input_encoding", "UTF-8").attr("errors", "strict"),
            "Invalid formatting"),
        invalid(
            "unknown encoding",
            "UnicodeDecode",
            () -> OpCall.of(Tensor.of("a")).attr("input_encoding", "Klingon"),
            "Klingon"),
        invalid(
            "splits that end too late",
            "UnicodeEncode",
            () ->
                OpCall.of(Tensor.of(97), Tensor.of(0L, 1L << 40)).attr("output_encoding", "UTF-8"),
            "1"),
        invalid(
            "splits that go back",
            "UnicodeEncode",
            () ->
                OpCall.of(Tensor.of(97, 98), Tensor.of(0L, 2L, 1L, 2L))
                    .attr("output_encoding", "UTF-8"),
            "1"),
        invalid(
            "id of no segment",
            "UnsortedSegmentJoin",
            () -> OpCall.of(Tensor.of("a"), Tensor.of(2), Tensor.scalar(2)),
            "2"),
        invalid(
            "fewer placeholders than inputs",
            "StringFormat",
            () -> OpCall.of(Tensor.of(1), Tensor.of(2)).attr("template", "%s"),
            "1 vs. 2"),
        invalid(
            "no such hash",
            "Fingerprint",
            () -> OpCall.of(Tensor.of("a"), Tensor.scalar("md5")),
            "md5"));
  }

  private static List<BadCall> sparse() {
    return List.of(
        invalid(
            "shapes that differ",
            "SparseAdd",
            () ->
                OpCall.of(
                    indices(0),
                    Tensor.of(1f),
                    Tensor.of(2L),
                    indices(0),
                    Tensor.of(1f),
                    Tensor.of(3L),
                    Tensor.scalar(0f)),
            "2",
            "3"),
        invalid(
            "sizes that differ",
            "SparseConcat",
            () ->
                OpCall.of(
                        indices(0, 0),
                        indices(0, 0),
                        Tensor.of(1f),
                        Tensor.of(1f),
                        Tensor.of(2L, 2L),
                        Tensor.of(2L, 3L))
                    .attr("N", 2)
                    .attr("concat_dim", 0),
            "[2,3]"),
        invalid(
            "more parts than places",
            "SparseSplit",
            () ->
                OpCall.of(Tensor.scalar(0L), indices(0), Tensor.of(1f), Tensor.of(2L))
                    .attr("num_split", 3),
            "2",
            "3"),
        invalid(
            "start of another rank",
            "SparseSlice",
            () ->
                OpCall.of(
                    indices(0), Tensor.of(1f), Tensor.of(2L), Tensor.of(0L, 0L), Tensor.of(1L)),
            "2"),
        invalid(
            "inner sizes that differ",
            "SparseTensorDenseMatMul",
            () -> OpCall.of(indices(0, 0), Tensor.of(1f), Tensor.of(2L, 2L), matrix(3, 1)),
            "2",
            "3"),
        invalid(
            "index outside",
            "SparseTensorDenseMatMul",
            () -> OpCall.of(indices(0, 5), Tensor.of(1f), Tensor.of(2L, 2L), matrix(2, 1)),
            "5"),
        invalid(
            "index outside",
            "SparseTensorDenseAdd",
            () -> OpCall.of(indices(5), Tensor.of(1f), Tensor.of(2L), Tensor.of(1f, 2f)),
            "5"),
        invalid(
            "a vector",
            "SparseSoftmax",
            () -> OpCall.of(indices(0), Tensor.of(1f), Tensor.of(2L)),
            "rank"),
        invalid(
            "other number of rows",
            "SparseCrossV2",
            () ->
                OpCall.of(
                        Tensor.of(Shape.of(2, 1), "a", "b"),
                        Tensor.of(Shape.of(1, 1), "c"),
                        Tensor.scalar("_"))
                    .attr("N", 0)
                    .attr("sparse_types", List.of())
                    .attr("dense_types", List.of(DataType.STRING, DataType.STRING)),
            "2",
            "1"),
        invalid(
            "index of no row",
            "SparseSegmentSqrtN",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(2), Tensor.of(0)),
            "2",
            "[0, 2)"),
        invalid(
            "id of no segment",
            "SparseSegmentSumWithNumSegments",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(1), Tensor.of(3), Tensor.scalar(3)),
            "3"),
        invalid(
            "ranks that differ",
            "EditDistance",
            () ->
                OpCall.of(
                    indices(0, 0),
                    Tensor.of(1),
                    Tensor.of(1L, 1L),
                    indices(0, 0, 0),
                    Tensor.of(1),
                    Tensor.of(1L, 1L, 1L)),
            "rank"));
  }

  private static List<BadCall> patternsAndCounts() {
    return List.of(
        regex("no pattern", "(", "Invalid pattern: ("),
        regex("backreference", "(a)\\1", "Invalid pattern: (a)\\1"),
        regex("repetitions that grow", "((a{100}){100}){100}", "Invalid pattern"),
        regex("more repetitions than count", "a{1001}", "Invalid pattern"),
        invalid(
            "pattern that is no UTF-8",
            "RegexFullMatch",
            () -> OpCall.of(Tensor.of("a"), bytes(0xff)),
            "invalid UTF-8"),
        invalid(
            "vector of patterns",
            "RegexFullMatch",
            () -> OpCall.of(Tensor.of("a"), Tensor.of("a")),
            "[1]"),
        invalid(
            "vector of patterns",
            "RegexReplace",
            () -> OpCall.of(Tensor.of("a"), Tensor.of("a"), Tensor.scalar("b")),
            "[1]"),
        invalid(
            "encoding that is not UTF-8",
            "StringLower",
            () -> OpCall.of(Tensor.of("a")).attr("encoding", "latin-1"),
            "latin-1"),
        invalid(
            "a scalar",
            "StringSplitV2",
            () -> OpCall.of(Tensor.scalar("a"), Tensor.scalar("")),
            "[]"),
        invalid(
            "same axis twice",
            "ReduceJoin",
            () -> OpCall.of(Tensor.of("a"), Tensor.of(0, -1)),
            "Duplicate reduction dimension -1"),
        invalid(
            "short key",
            "StringToHashBucketStrong",
            () -> OpCall.of(Tensor.of("a")).attr("num_buckets", 3).attr("key", List.of(1L)),
            "Key must have 2 elements"),
        invalid(
            "negative value",
            "Bincount",
            () -> OpCall.of(Tensor.of(-1), Tensor.scalar(3), Tensor.of(new int[0])),
            "-1"),
        invalid(
            "negative size",
            "Bincount",
            () -> OpCall.of(Tensor.of(1), Tensor.scalar(-3), Tensor.of(new int[0])),
            "-3"),
        invalid(
            "weights of another shape",
            "DenseBincount",
            () -> OpCall.of(Tensor.of(1, 2), Tensor.scalar(3), Tensor.of(1f)),
            "weights",
            "[1]"),
        invalid(
            "other number of rows",
            "UpperBound",
            () -> OpCall.of(matrix(2, 3), matrix(1, 3)),
            "[2,3]",
            "[1,3]"),
        invalid(
            "other number of elements",
            "SparseReshape",
            () -> OpCall.of(indices(0, 0), Tensor.of(2L, 3L), Tensor.of(2L, 2L)),
            "6",
            "[2, 2]"),
        invalid(
            "two sizes to be found",
            "SparseReshape",
            () -> OpCall.of(indices(0, 0), Tensor.of(2L, 3L), Tensor.of(-1L, -1L)),
            "-1"),
        invalid(
            "sizes that overflow",
            "SparseReshape",
            () -> OpCall.of(indices(0, 0), Tensor.of(1L << 40, 1L << 40), Tensor.of(-1L)),
            "2^63"),
        invalid(
            "index outside",
            "SparseToDense",
            () -> toDense(Tensor.of(Shape.of(1, 1), 4L), Tensor.of(4L)),
            "4",
            "[4]"),
        invalid(
            "index twice",
            "SparseToDense",
            () -> toDense(Tensor.of(Shape.of(2, 1), 1L, 1L), Tensor.of(4L)),
            "repeated"),
        invalid(
            "indices out of order",
            "SparseToDense",
            () -> toDense(Tensor.of(Shape.of(2, 1), 1L, 0L), Tensor.of(4L)),
            "out of order"),
        invalid(
            "negative size",
            "SparseToDense",
            () -> toDense(Tensor.of(Shape.of(1, 1), 0L), Tensor.of(-4L)),
            "-4"),
        new BadCall(
            "more elements than memory holds",
            "SparseToDense",
            () -> toDense(Tensor.of(Shape.of(1, 1), 0L), Tensor.of(1L << 45)),
            ErrorCode.RESOURCE_EXHAUSTED,
            List.of("bytes")),
        invalid(
            "row outside",
            "SparseFillEmptyRows",
            () -> OpCall.of(indices(2, 0), Tensor.of(1f), Tensor.of(2L, 1L), Tensor.scalar(0f)),
            "2"),
        invalid(
            "no dimension",
            "SparseFillEmptyRows",
            () ->
                OpCall.of(
                    Tensor.of(Shape.of(0, 0), new long[0]),
                    Tensor.of(new float[0]),
                    Tensor.of(new long[0]),
                    Tensor.scalar(0f)),
            "empty"),
        invalid(
            "row of no parent",
            "RaggedTensorToTensor",
            () ->
                OpCall.of(Tensor.scalar(-1L), Tensor.of(1f), Tensor.scalar(0f))
                    .input(Tensor.scalar(2L))
                    .input(Tensor.of(2L))
                    .attr("num_row_partition_tensors", 2)
                    .attr("row_partition_types", List.of("FIRST_DIM_SIZE", "VALUE_ROWIDS")),
            "2"),
        invalid(
            "wanted shape of another rank",
            "RaggedTensorToTensor",
            () ->
                OpCall.of(Tensor.of(2L, 2L, 2L), Tensor.of(1f), Tensor.scalar(0f))
                    .input(Tensor.of(0L, 1L))
                    .attr("num_row_partition_tensors", 1)
                    .attr("row_partition_types", List.of("ROW_SPLITS")),
            "[2,2,2]"),
        invalid(
            "groups that differ",
            "DenseToDenseSetOperation",
            () ->
                OpCall.of(Tensor.of(Shape.of(2, 1), 1, 2), Tensor.of(Shape.of(1, 1), 1))
                    .attr("set_operation", "union"),
            "[2]",
            "[1]"),
        invalid(
            "no such operation",
            "DenseToDenseSetOperation",
            () ->
                OpCall.of(Tensor.of(Shape.of(1, 1), 1), Tensor.of(Shape.of(1, 1), 1))
                    .attr("set_operation", "plus"),
            "plus"),
        invalid(
            "indices out of order",
            "SetSize",
            () ->
                OpCall.of(
                    Tensor.of(Shape.of(2, 2), 1L, 0L, 0L, 0L), Tensor.of(1, 2), Tensor.of(2L, 2L)),
            "out of order"));
  }

  private static BadCall regex(String title, String pattern, String part) {
    return invalid(
        title,
        "StaticRegexReplace",
        () -> OpCall.of(Tensor.of("a")).attr("pattern", pattern).attr("rewrite", ""),
        part);
  }

  static BadCall invalid(String title, String op, Supplier<OpCall> call, String... parts) {
    return new BadCall(title, op, call, ErrorCode.INVALID_ARGUMENT, List.of(parts));
  }

  private static Tensor bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return Tensor.ofObjects(DataType.STRING, Shape.scalar(), (Object) bytes);
  }

  private static Tensor matrix(int rows, int columns) {
    return Tensor.zeros(DataType.FLOAT, Shape.of(rows, columns));
  }

  /** A matrix with one index. */
  private static Tensor indices(long... index) {
    return Tensor.of(Shape.of(1, index.length), index);
  }

  private static OpCall toDense(Tensor indices, Tensor shape) {
    Tensor values = Tensor.zeros(DataType.FLOAT, Shape.of(indices.shape().size(0)));
    return OpCall.of(indices, shape, values, Tensor.scalar(0f));
  }
}
