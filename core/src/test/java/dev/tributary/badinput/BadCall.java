package dev.tributary.badinput;

import dev.tributary.error.ErrorCode;
import dev.tributary.optable.OpCall;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A call that an op must refuse when it runs.
 *
 * @param title what is wrong, for the test's name
 * @param call makes the call, which the caller closes
 * @param parts what the message says beside the op and the node: what it got, what it wanted
 */
public record BadCall(
    String title, String op, Supplier<OpCall> call, ErrorCode code, List<String> parts) {
  /** What stock TensorFlow refuses too, and with the same code unless {@link #hasOwnCode}. */
  public static List<BadCall> known() {
    return Stream.of(
            ofValues(),
            BadNumericCalls.all(),
            BadImageCalls.all(),
            BadLayerCalls.all(),
            BadFileCalls.all(),
            BadRecordCalls.all(),
            BadTextCalls.all())
        .flatMap(List::stream)
        .toList();
  }

  private static List<BadCall> ofValues() {
    return List.of(
        invalid(
            "index too large",
            "Gather",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(0, 2)),
            "indices[1] = 2 is not in [0, 2)"),
        invalid(
            "negative index",
            "GatherV2",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(-1), Tensor.scalar(0)),
            "indices[0] = -1 is not in [0, 2)"),
        invalid(
            "axis out of range",
            "GatherV2",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(0), Tensor.scalar(1)),
            "1"),
        invalid(
            "index vector outside",
            "GatherNd",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(Shape.of(1, 1), 5)),
            "indices[0] = [5]",
            "[2]"),
        invalid(
            "index vector too long",
            "GatherNd",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(Shape.of(1, 2), 0, 0)),
            "2"),
        invalid(
            "index outside",
            "ScatterNd",
            () -> OpCall.of(Tensor.of(Shape.of(1, 1), 4), Tensor.of(1f), Tensor.of(4)),
            "indices[0] = [4]",
            "[4]"),
        invalid(
            "updates of another shape",
            "ScatterNd",
            () -> OpCall.of(Tensor.of(Shape.of(1, 1), 0), Tensor.of(1f, 2f), Tensor.of(4)),
            "[2]"),
        invalid(
            "ids not sorted",
            "SegmentSum",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(1, 0)),
            "increasing"),
        invalid(
            "fewer ids than rows",
            "SegmentSum",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(0)),
            "same size"),
        invalid(
            "negative id",
            "SegmentSum",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(-1, 0)),
            "-1"),
        invalid(
            "id beyond the number of segments",
            "UnsortedSegmentSum",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(0, 3), Tensor.scalar(3)),
            "segment_ids[1] = 3",
            "[0, 3)"),
        invalid(
            "index of no row",
            "SparseSegmentSum",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(2), Tensor.of(0)),
            "2",
            "[0, 2)"),
        invalid(
            "label of no class",
            "SparseSoftmaxCrossEntropyWithLogits",
            () -> OpCall.of(Tensor.of(Shape.of(1, 2), 1f, 2f), Tensor.of(2)),
            "2",
            "[0, 2)"),
        invalid(
            "stride of zero",
            "StridedSlice",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(0), Tensor.of(1), Tensor.of(0)),
            "strides[0] must be non-zero"),
        invalid(
            "one element beyond the end",
            "StridedSlice",
            () ->
                OpCall.of(Tensor.of(1f, 2f), Tensor.of(2), Tensor.of(3), Tensor.of(1))
                    .attr("shrink_axis_mask", 1),
            "2"),
        invalid(
            "part beyond the end",
            "Slice",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(1), Tensor.of(2)),
            "size[0] in [0, 1]",
            "2"),
        invalid(
            "division by zero",
            "FloorDiv",
            () -> OpCall.of(Tensor.of(1, 2), Tensor.of(1, 0)),
            "Integer division by zero"),
        invalid(
            "division by zero",
            "TruncateDiv",
            () -> OpCall.of(Tensor.of(1L, 2L), Tensor.of(1L, 0L)),
            "Integer division by zero"),
        invalid(
            "remainder of zero",
            "FloorMod",
            () -> OpCall.of(Tensor.of(1, 2), Tensor.of(0)),
            "Integer division by zero"),
        invalid(
            "negative exponent of integers",
            "Pow",
            () -> OpCall.of(Tensor.of(2), Tensor.of(-1)),
            "negative"),
        invalid(
            "shapes that do not broadcast",
            "AddV2",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(1f, 2f, 3f)),
            "[2]",
            "[3]"),
        invalid(
            "inner sizes that differ",
            "MatMul",
            () -> OpCall.of(matrix(2, 3), matrix(2, 3)),
            "[2,3]"),
        invalid("a vector", "MatMul", () -> OpCall.of(Tensor.of(1f, 2f), matrix(2, 3)), "[2]"),
        invalid(
            "inner sizes that differ",
            "BatchMatMulV2",
            () -> OpCall.of(matrix(2, 3), matrix(2, 3)),
            "[2,3]"),
        invalid(
            "other number of elements",
            "Reshape",
            () -> OpCall.of(Tensor.of(1f, 2f, 3f), Tensor.of(2, 2)),
            "[3]",
            "[2, 2]"),
        invalid(
            "elements that do not divide",
            "Reshape",
            () -> OpCall.of(Tensor.of(1f, 2f, 3f), Tensor.of(2, -1)),
            "3",
            "2"),
        invalid(
            "two sizes to be found",
            "Reshape",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(-1, -1)),
            "-1"),
        invalid(
            "sizes that differ",
            "ConcatV2",
            () -> OpCall.of(matrix(1, 2), matrix(1, 3), Tensor.scalar(0)).attr("N", 2),
            "[?,2]",
            "[1,3]"),
        invalid(
            "ranks that differ",
            "ConcatV2",
            () -> OpCall.of(matrix(1, 2), Tensor.of(1f, 2f), Tensor.scalar(0)).attr("N", 2),
            "[?,2]",
            "[2]"),
        invalid(
            "no such axis",
            "ConcatV2",
            () -> OpCall.of(matrix(1, 2), matrix(1, 2), Tensor.scalar(2)).attr("N", 2),
            "2"),
        invalid(
            "values of different shapes",
            "Pack",
            () -> OpCall.of(Tensor.of(1f), Tensor.of(1f, 2f)),
            "[1]",
            "[2]"),
        invalid(
            "parts of unequal size",
            "Split",
            () -> OpCall.of(Tensor.scalar(0), Tensor.of(1f, 2f, 3f)).attr("num_split", 2),
            "3",
            "2"),
        invalid(
            "sizes that do not add up",
            "SplitV",
            () ->
                OpCall.of(Tensor.of(1f, 2f, 3f), Tensor.of(1, 1), Tensor.scalar(0))
                    .attr("num_split", 2),
            "[1, 1]",
            "3"),
        invalid(
            "repeated dimension",
            "Transpose",
            () -> OpCall.of(matrix(2, 3), Tensor.of(1, 1)),
            "1 is duplicated"),
        invalid(
            "a dimension to squeeze that is not 1",
            "Squeeze",
            () -> OpCall.of(matrix(2, 3)).attr("squeeze_dims", List.of(0L)),
            "0",
            "2"),
        invalid(
            "no such axis",
            "ExpandDims",
            () -> OpCall.of(Tensor.of(1f), Tensor.scalar(3)),
            "dim index 3",
            "1 dimensions"),
        invalid("no such axis", "Sum", () -> OpCall.of(matrix(2, 3), Tensor.of(2)), "2"),
        invalid("no such axis", "ArgMax", () -> OpCall.of(matrix(2, 3), Tensor.scalar(2)), "2"),
        invalid(
            "nothing to choose from",
            "ArgMax",
            () -> OpCall.of(matrix(2, 0), Tensor.scalar(1)),
            "empty"),
        invalid(
            "not a number",
            "CheckNumerics",
            () -> OpCall.of(Tensor.of(1f, Float.NaN)).attr("message", "loss"),
            "loss : Tensor had NaN values"),
        invalid(
            "infinity",
            "CheckNumerics",
            () -> OpCall.of(Tensor.of(1f, Float.NEGATIVE_INFINITY)).attr("message", "loss"),
            "loss : Tensor had",
            "Inf"),
        invalid(
            "assertion that does not hold",
            "Assert",
            () -> OpCall.of(Tensor.scalar(false), Tensor.of(7)),
            "assertion failed: [7]"),
        invalid(
            "more than there is",
            "TopKV2",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.scalar(3)),
            "Had 2, needed 3"),
        invalid(
            "step of zero",
            "Range",
            () -> OpCall.of(Tensor.scalar(0), Tensor.scalar(3), Tensor.scalar(0)),
            "0"),
        invalid(
            "step away from the limit",
            "Range",
            () -> OpCall.of(Tensor.scalar(0), Tensor.scalar(3), Tensor.scalar(-1)),
            "3",
            "0"),
        invalid(
            "no number",
            "LinSpace",
            () -> OpCall.of(Tensor.scalar(0f), Tensor.scalar(3f), Tensor.scalar(0)),
            "num > 0",
            "0"),
        invalid("negative size", "Fill", () -> OpCall.of(Tensor.of(-2), Tensor.scalar(1f)), "-2"),
        invalid("negative count", "Tile", () -> OpCall.of(Tensor.of(1f), Tensor.of(-1)), "-1"),
        invalid(
            "negative padding",
            "Pad",
            () -> OpCall.of(Tensor.of(1f), Tensor.of(Shape.of(1, 2), -1, 0)),
            "-1"),
        invalid(
            "shape that is no target",
            "BroadcastTo",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(3)),
            "[2]",
            "[3]"),
        invalid(
            "no permutation",
            "InvertPermutation",
            () -> OpCall.of(Tensor.of(0, 2)),
            "2 is out of range [0 .. 2)"),
        invalid("no number", "StringToNumber", () -> OpCall.of(Tensor.of("seven")), "seven"),
        invalid(
            "depth below zero",
            "OneHot",
            () -> OpCall.of(Tensor.of(0), Tensor.scalar(-1), Tensor.scalar(1f), Tensor.scalar(0f)),
            "depth",
            "-1"),
        invalid(
            "negative size",
            "RandomUniform",
            () -> OpCall.of(Tensor.of(-1)).attr("dtype", DataType.FLOAT),
            "-1"),
        invalid(
            "empty interval",
            "RandomUniformInt",
            () -> OpCall.of(Tensor.of(1), Tensor.scalar(3), Tensor.scalar(3)),
            "3"),
        invalid(
            "bias of another size",
            "BiasAdd",
            () -> OpCall.of(matrix(2, 3), Tensor.of(1f, 2f)),
            "for 3 channels",
            "[2,3]"),
        invalid(
            "labels of another shape",
            "SoftmaxCrossEntropyWithLogits",
            () -> OpCall.of(matrix(2, 3), matrix(2, 2)),
            "[2,3]",
            "[2,2]"),
        invalid(
            "channels that differ",
            "Conv2D",
            () ->
                OpCall.of(
                        Tensor.zeros(DataType.FLOAT, Shape.of(1, 3, 3, 2)),
                        Tensor.zeros(DataType.FLOAT, Shape.of(1, 1, 3, 1)))
                    .attr("strides", List.of(1L, 1L, 1L, 1L))
                    .attr("padding", "VALID"),
            "2",
            "3"),
        invalid("reversed twice", "ReverseV2", () -> OpCall.of(matrix(2, 3), Tensor.of(0, 0)), "0"),
        invalid(
            "more elements than numbers go",
            "Fill",
            () -> OpCall.of(Tensor.of(1L << 31, 1L << 31, 1L << 31), Tensor.scalar(1f)),
            "2147483648"),
        invalid(
            "more elements than numbers go",
            "RandomUniform",
            () -> OpCall.of(Tensor.of(1L << 31, 1L << 31, 1L << 31)).attr("dtype", DataType.FLOAT),
            "2147483648"),
        exhausted(
            "more elements than memory holds",
            "Fill",
            () -> OpCall.of(Tensor.of(1L << 31, 1L << 15), Tensor.scalar(1f))),
        exhausted(
            "more elements than memory holds",
            "Tile",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(1L << 45))),
        exhausted(
            "more elements than memory holds",
            "BroadcastTo",
            () -> OpCall.of(Tensor.scalar(1f), Tensor.of(1L << 23, 1L << 23))),
        exhausted(
            "more elements than memory holds",
            "Range",
            () -> OpCall.of(Tensor.scalar(0L), Tensor.scalar(1L << 46), Tensor.scalar(1L))));
  }

  @Override
  public String toString() {
    return op + ", " + title;
  }

  /**
   * Returns whether stock answers otherwise: by another code (TruncateDiv, Cross, RGBToHSV), or
   * with a result, which for these calls is an empty or arbitrary one.
   */
  public boolean hasOwnCode() {
    return switch (op) {
      case "TruncateDiv" -> true;
      case "Cross" -> title.equals("vectors of two elements");
      case "RGBToHSV" -> title.equals("two channels");
      case "RFFT" -> title.equals("signal without elements");
      case "BandedTriangularSolve" -> title.equals("more bands than rows");
      case "ImageProjectiveTransformV2" -> title.equals("unknown interpolation");
      default -> false;
    };
  }

  private static BadCall invalid(String title, String op, Supplier<OpCall> call, String... parts) {
    return new BadCall(title, op, call, ErrorCode.INVALID_ARGUMENT, List.of(parts));
  }

  private static BadCall exhausted(String title, String op, Supplier<OpCall> call) {
    return new BadCall(title, op, call, ErrorCode.RESOURCE_EXHAUSTED, List.of("bytes"));
  }

  private static Tensor matrix(int rows, int columns) {
    return Tensor.zeros(DataType.FLOAT, Shape.of(rows, columns));
  }
}
