package dev.tributary.interop;

import dev.tributary.error.ErrorCode;
import dev.tributary.op.AttrValue;
import dev.tributary.optable.OpCall;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/**
 * The kernels of stock TensorFlow. It has two sets and picks one by the CPU unless the environment
 * says which, so the build pins the variable and repeats the comparison of values with the other
 * setting. Child processes inherit the pin.
 */
enum StockKernels {
  /** TensorFlow's own, which define the outputs of an op. */
  EIGEN("0"),
  /** Those on Intel's oneDNN, stock's choice where the CPU has AVX-512. */
  ONEDNN("1");

  static final String VARIABLE = "TF_ENABLE_ONEDNN_OPTS";

  private final String setting;

  StockKernels(String setting) {
    this.setting = setting;
  }

  /** The set that stock uses in this process. */
  static StockKernels inUse() {
    String setting = System.getenv(VARIABLE);
    for (StockKernels kernels : values()) {
      if (kernels.setting.equals(setting)) {
        return kernels;
      }
    }
    throw new IllegalStateException(
        VARIABLE
            + " is "
            + setting
            + ", expected 0 or 1: without it, stock's kernels change with the CPU. Maven sets it;"
            + " set it in the run configuration of an IDE");
  }

  /** The reason why values of an op differ with these kernels, which are not its definition. */
  Optional<String> excuse(String op) {
    return this == ONEDNN && op.equals("QuantizeV2")
        ? Optional.of("oneDNN rounds otherwise, and gives another range for no elements")
        : Optional.empty();
  }

  /**
   * The shape that these kernels give an output where it is not the one of the op's definition.
   * Such an output carries no values: our tensor or stock's is empty.
   */
  Optional<Shape> oddShape(String op, OpCall call, int output, Tensor ours) {
    boolean vectors = (op.equals("Svd") || op.equals("SelfAdjointEigV2")) && output > 0;
    if (vectors) {
      // Vectors that were not asked for: a scalar that nobody set, though the op says [0].
      return ours.shape().equals(Shape.of(0)) ? Optional.of(Shape.scalar()) : Optional.empty();
    }
    if (this == EIGEN) {
      return Optional.empty();
    }
    return switch (op) {
      case "Conv2D", "Conv3D", "DepthwiseConv2dNative" ->
          ours.type() == DataType.FLOAT && ours.elementCount() == 0
              ? Optional.of(call.inputs().get(0).shape())
              : Optional.empty();
      case "FusedBatchNormV3" -> output == 5 ? Optional.of(Shape.of(0)) : Optional.empty();
      case "FusedBatchNormGrad", "FusedBatchNormGradV2", "FusedBatchNormGradV3" ->
          output >= 3 ? Optional.of(Shape.scalar()) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /**
   * The code by which these kernels refuse a call that the op's definition allows: stock replaces
   * Dequantize by one scale, and what it replaces it by takes neither scalars nor 32 bits.
   */
  Optional<ErrorCode> refusal(String op, OpCall call) {
    boolean isReplaced =
        this == ONEDNN
            && op.equals("Dequantize")
            && AttrValue.ofObject("SCALED").equals(call.attributes().get("mode"))
            && AttrValue.ofObject(-1).equals(call.attributes().get("axis"));
    if (!isReplaced) {
      return Optional.empty();
    }
    Tensor input = call.inputs().get(0);
    if (input.type() == DataType.QINT32) {
      return Optional.of(ErrorCode.NOT_FOUND);
    }
    return input.type().size() == 1 && input.rank() == 0
        ? Optional.of(ErrorCode.INVALID_ARGUMENT)
        : Optional.empty();
  }
}
