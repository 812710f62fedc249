package dev.tributary.badinput;

import dev.tributary.error.ErrorCode;
import dev.tributary.optable.OpCall;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.Supplier;

/** Wrong calls of ops on volumes, quantised numbers, recurrent cells and label sequences. */
final class BadLayerCalls {
  private BadLayerCalls() {}

  static List<BadCall> all() {
    return List.of(
        invalid(
            "gradient of another shape",
            "MaxPool3DGrad",
            () ->
                pooled(
                    OpCall.of(zeros(1, 2, 2, 2, 1), zeros(1, 2, 2, 2, 1), zeros(1, 1, 1, 1, 1)),
                    1,
                    1,
                    1,
                    1,
                    1),
            "grad must have shape [1,2,2,2,1]",
            "[1,1,1,1,1]"),
        invalid(
            "sizes of another rank",
            "AvgPool3DGrad",
            () -> pooled(OpCall.of(Tensor.of(1, 2), zeros(1, 1, 1, 1, 1)), 1, 1, 1, 1, 1),
            "[1,2]"),
        invalid(
            "range that falls",
            "QuantizeV2",
            () ->
                OpCall.of(Tensor.of(1f), Tensor.scalar(2f), Tensor.scalar(1f))
                    .attr("T", DataType.QUINT8),
            "max_range must be larger",
            "1.0",
            "2.0"),
        invalid(
            "ranges of other slices",
            "QuantizeV2",
            () ->
                OpCall.of(Tensor.of(1f, 2f), Tensor.of(0f, 0f, 0f), Tensor.of(1f, 1f, 1f))
                    .attr("T", DataType.QUINT8)
                    .attr("axis", 0),
            "[2]",
            "[3]"),
        invalid(
            "no bits",
            "QuantizeAndDequantizeV3",
            () -> OpCall.of(Tensor.of(1f), Tensor.scalar(0f), Tensor.scalar(1f), Tensor.scalar(0)),
            "num_bits is out of range: 0"),
        invalid(
            "range that falls",
            "QuantizeAndDequantizeV4",
            () ->
                OpCall.of(Tensor.of(1f), Tensor.scalar(2f), Tensor.scalar(1f))
                    .attr("range_given", true),
            "input_min 2.0 > input_max 1.0"),
        invalid(
            "range without zero",
            "Requantize",
            () ->
                OpCall.of(
                        Tensor.zeros(DataType.QINT32, Shape.of(1)),
                        Tensor.scalar(-1f),
                        Tensor.scalar(1f),
                        Tensor.scalar(1f),
                        Tensor.scalar(2f))
                    .attr("out_type", DataType.QUINT8),
            "requested_output_min must be <= 0",
            "1.0"),
        invalid(
            "element behind the last one",
            "NthElement",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.scalar(2)),
            "2 and 2"),
        invalid(
            "filter of other channels",
            "Dilation2D",
            () ->
                OpCall.of(zeros(1, 2, 2, 3), zeros(1, 1, 2))
                    .attr("strides", new long[] {1, 1, 1, 1})
                    .attr("rates", new long[] {1, 1, 1, 1})
                    .attr("padding", "SAME"),
            "same depth: 3 vs 2"),
        invalid(
            "formats of other dimensions",
            "DataFormatDimMap",
            () -> OpCall.of(Tensor.of(1)).attr("src_format", "NHWC").attr("dst_format", "NCHX"),
            "permutation",
            "NCHX"),
        invalid(
            "values of too few dimensions",
            "DataFormatVecPermute",
            () -> OpCall.of(Tensor.of(1, 2, 3)),
            "2 or 4",
            "[3]"),
        invalid(
            "label of no sequence",
            "CTCLoss",
            () ->
                OpCall.of(
                    zeros(3, 1, 2), Tensor.of(Shape.of(1, 2), 1L, 0L), Tensor.of(0), Tensor.of(3)),
            "labels_indices[0] = [1, 0]"),
        new BadCall(
            "sequence longer than the scores",
            "CTCGreedyDecoder",
            () -> OpCall.of(zeros(3, 1, 2), Tensor.of(4)),
            ErrorCode.FAILED_PRECONDITION,
            List.of("sequence_length(0)", "4")),
        invalid(
            "more paths than beams",
            "CTCBeamSearchDecoder",
            () ->
                OpCall.of(zeros(3, 1, 2), Tensor.of(3)).attr("beam_width", 1).attr("top_paths", 2),
            "2 and 1"),
        invalid(
            "weights of another size",
            "GRUBlockCell",
            () -> OpCall.of(zeros(1, 1), zeros(1, 1), zeros(3, 2), zeros(2, 1), zeros(2), zeros(1)),
            "w_ru must have shape [2,2]",
            "[3,2]"),
        invalid(
            "negative infinity",
            "CheckNumericsV2",
            () -> OpCall.of(Tensor.of(1f, Float.NEGATIVE_INFINITY)).attr("message", "x"),
            "-Inf"));
  }

  private static OpCall pooled(OpCall call, long... sizes) {
    return call.attr("ksize", sizes)
        .attr("strides", new long[] {1, 1, 1, 1, 1})
        .attr("padding", "VALID");
  }

  private static Tensor zeros(long... sizes) {
    return Tensor.zeros(DataType.FLOAT, Shape.of(sizes));
  }

  private static BadCall invalid(String title, String op, Supplier<OpCall> call, String... parts) {
    return new BadCall(title, op, call, ErrorCode.INVALID_ARGUMENT, List.of(parts));
  }
}
