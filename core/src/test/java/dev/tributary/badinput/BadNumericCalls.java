package dev.tributary.badinput;

import dev.tributary.error.ErrorCode;
import dev.tributary.optable.OpCall;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.Supplier;

/** Wrong calls of ops on images, blocks, matrices and parts of tensors. */
final class BadNumericCalls {
  private static final long[] STRIDES = {1, 1, 1, 1, 1};

  private BadNumericCalls() {}

  static List<BadCall> all() {
    return List.of(
        invalid(
            "signal shorter than the transform",
            "RFFT",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(4)).attr("Tcomplex", DataType.COMPLEX64),
            "Input dimension 0 must have length of at least 4 but got: 2"),
        invalid(
            "half a spectrum too short",
            "IRFFT",
            () ->
                OpCall.of(Tensor.ofComplex(Shape.of(2), 1f, 0f, 2f, 0f), Tensor.of(4))
                    .attr("Treal", DataType.FLOAT),
            "Input dimension 0 must have length of at least 3 but got: 2"),
        invalid(
            "negative length",
            "RFFT2D",
            () ->
                OpCall.of(Tensor.of(Shape.of(1, 2), 1f, 2f), Tensor.of(1, -2))
                    .attr("Tcomplex", DataType.COMPLEX64),
            "fft_length[1] must be at least 0, got -2"),
        invalid(
            "signal without elements",
            "RFFT",
            () ->
                OpCall.of(Tensor.of(Shape.of(0), new float[0]), Tensor.of(4))
                    .attr("Tcomplex", DataType.COMPLEX64),
            "no elements to transform"),
        invalid(
            "spectrum of another precision",
            "RFFT",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(2)).attr("Tcomplex", DataType.COMPLEX128),
            "float",
            "complex128"),
        invalid(
            "size of zero",
            "ResizeBilinear",
            () -> OpCall.of(image(2, 2), Tensor.of(0, 3)),
            "output dimensions must be positive",
            "[0, 3]"),
        invalid(
            "negative size",
            "ResizeNearestNeighbor",
            () -> OpCall.of(image(2, 2), Tensor.of(2, -3)),
            "output dimensions must be positive",
            "[2, -3]"),
        invalid(
            "image without pixels",
            "ResizeBilinear",
            () -> OpCall.of(image(0, 2), Tensor.of(1, 1)),
            "non-zero size",
            "[1,0,2,1]"),
        invalid(
            "both alignments",
            "ResizeBilinear",
            () ->
                OpCall.of(image(2, 2), Tensor.of(1, 1))
                    .attr("align_corners", true)
                    .attr("half_pixel_centers", true),
            "align_corners must be False"),
        new BadCall(
            "box of no image",
            "CropAndResize",
            () ->
                OpCall.of(
                    image(2, 2),
                    Tensor.of(Shape.of(1, 4), 0f, 0f, 1f, 1f),
                    Tensor.of(1),
                    Tensor.of(1, 1)),
            ErrorCode.OUT_OF_RANGE,
            List.of("box_index[0] = 1")),
        invalid(
            "box of NaN",
            "CropAndResize",
            () ->
                OpCall.of(
                    image(2, 2),
                    Tensor.of(Shape.of(1, 4), 0f, Float.NaN, 1f, 1f),
                    Tensor.of(0),
                    Tensor.of(1, 1)),
            "not finite"),
        invalid(
            "threshold above one",
            "NonMaxSuppressionV2",
            () ->
                OpCall.of(
                    Tensor.of(Shape.of(1, 4), 0f, 0f, 1f, 1f),
                    Tensor.of(1f),
                    Tensor.scalar(1),
                    Tensor.scalar(1.5f)),
            "iou_threshold must be in [0, 1]",
            "1.5"),
        invalid(
            "negative limit",
            "NonMaxSuppressionV2",
            () ->
                OpCall.of(
                    Tensor.of(Shape.of(1, 4), 0f, 0f, 1f, 1f),
                    Tensor.of(1f),
                    Tensor.scalar(-1),
                    Tensor.scalar(0.5f)),
            "-1"),
        invalid(
            "channels that are no blocks",
            "DepthToSpace",
            () -> OpCall.of(image(2, 2)).attr("block_size", 2),
            "depth",
            "[1,2,2,1]",
            "4"),
        invalid(
            "block size that overflows",
            "SpaceToDepth",
            () -> OpCall.of(image(2, 2)).attr("block_size", Integer.MAX_VALUE),
            "height"),
        invalid(
            "label of two sizes",
            "Einsum",
            () ->
                OpCall.of(Tensor.of(Shape.of(1, 2), 1f, 2f), Tensor.of(Shape.of(3, 1), 1f, 2f, 3f))
                    .attr("equation", "ij,jk->ik"),
            "dimension 2",
            "[3,1]"),
        invalid(
            "band wider than the matrix",
            "MatrixBandPart",
            () ->
                OpCall.of(Tensor.of(Shape.of(1, 2), 1f, 2f), Tensor.scalar(3L), Tensor.scalar(0L)),
            "num_lower",
            "3"),
        invalid(
            "filter of other channels",
            "Conv3D",
            () ->
                OpCall.of(
                        Tensor.zeros(DataType.FLOAT, Shape.of(1, 2, 2, 2, 3)),
                        Tensor.zeros(DataType.FLOAT, Shape.of(1, 1, 1, 2, 1)))
                    .attr("strides", STRIDES)
                    .attr("padding", "VALID"),
            "[1,1,1,2,1]"),
        invalid(
            "too many bits",
            "FakeQuantWithMinMaxVars",
            () ->
                OpCall.of(Tensor.of(1f), Tensor.scalar(0f), Tensor.scalar(1f)).attr("num_bits", 17),
            "num_bits must be between 2 and 16",
            "17"),
        invalid(
            "range of no slice",
            "Dequantize",
            () ->
                OpCall.of(
                        Tensor.of(DataType.QINT8, Shape.of(2), (byte) 1, (byte) 2),
                        Tensor.of(0f),
                        Tensor.of(1f))
                    .attr("axis", 1),
            "Axis must be less than input dimension"),
        invalid(
            "matrix without inverse",
            "MatrixInverse",
            () -> OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 2f, 4f)),
            "not invertible"),
        invalid(
            "matrix that is not square",
            "MatrixDeterminant",
            () -> OpCall.of(Tensor.of(Shape.of(1, 2), 1f, 2f)),
            "square",
            "[1,2]"),
        invalid(
            "unknown algorithm",
            "StatelessRandomUniformV2",
            () ->
                OpCall.of(
                    Tensor.of(1),
                    Tensor.zeros(DataType.UINT64, Shape.of(1)),
                    Tensor.zeros(DataType.UINT64, Shape.of(2)),
                    Tensor.scalar(9)),
            "Unsupported algorithm id: 9"),
        invalid(
            "index outside",
            "TensorScatterAdd",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(Shape.of(1, 1), 2), Tensor.of(1f)),
            "indices[0] = [2]",
            "[2]"),
        invalid(
            "updates of another shape",
            "TensorScatterUpdate",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(Shape.of(1, 1), 0), Tensor.of(1f, 2f)),
            "[2]"),
        invalid(
            "ids not sorted",
            "SegmentMax",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(1, 0)),
            "increasing"),
        invalid(
            "negative number of segments",
            "UnsortedSegmentMax",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(0, 0), Tensor.scalar(-1)),
            "-1"),
        invalid(
            "id beyond the number of segments",
            "UnsortedSegmentProd",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.of(0, 3), Tensor.scalar(3)),
            "segment_ids[1] = 3",
            "[0, 3)"),
        invalid(
            "diagonal outside",
            "MatrixDiagPartV3",
            () -> OpCall.of(Tensor.of(Shape.of(1, 2), 1f, 2f), Tensor.of(2), Tensor.scalar(0f)),
            "2"),
        invalid(
            "lower diagonal above the upper one",
            "MatrixSetDiagV3",
            () -> OpCall.of(Tensor.of(Shape.of(1, 2), 1f, 2f), Tensor.of(1f), Tensor.of(1, 0)),
            "1 > 0"),
        invalid(
            "axis out of range",
            "Roll",
            () -> OpCall.of(Tensor.of(1f, 2f), Tensor.scalar(1), Tensor.scalar(1)),
            "1"),
        invalid(
            "sequence longer than the tensor",
            "ReverseSequence",
            () -> OpCall.of(Tensor.of(Shape.of(1, 2), 1f, 2f), Tensor.of(3L)).attr("seq_dim", 1),
            "seq_lengths(0) = 3"),
        invalid(
            "index beyond the end",
            "UnravelIndex",
            () -> OpCall.of(Tensor.of(6), Tensor.of(2, 3)),
            "6",
            "[2,3]"),
        invalid(
            "boundaries that fall",
            "Bucketize",
            () -> OpCall.of(Tensor.of(1f)).attr("boundaries", List.of(2f, 1f)),
            "sorted boundaries"),
        invalid(
            "empty range",
            "HistogramFixedWidth",
            () -> OpCall.of(Tensor.of(1f), Tensor.of(2f, 2f), Tensor.scalar(3)),
            "[2.0, 2.0]"),
        invalid(
            "no bins",
            "HistogramFixedWidth",
            () -> OpCall.of(Tensor.of(1f), Tensor.of(1f, 2f), Tensor.scalar(0)),
            "0"));
  }

  private static Tensor image(int height, int width) {
    return Tensor.zeros(DataType.FLOAT, Shape.of(1, height, width, 1));
  }

  private static BadCall invalid(String title, String op, Supplier<OpCall> call, String... parts) {
    return new BadCall(title, op, call, ErrorCode.INVALID_ARGUMENT, List.of(parts));
  }
}
