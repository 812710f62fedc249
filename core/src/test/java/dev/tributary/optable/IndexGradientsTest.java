package dev.tributary.optable;

import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Gradients by int64 indices or an axis from the end, which the table leaves out: stock's own fail
 * at these.
 */
@NoLeaks
class IndexGradientsTest {
  private static final long SEED = 7;

  @TestFactory
  Stream<DynamicTest> gradient_byUnusualIndices_isTheSlope() {
    return Stream.of(
        slope("ConcatV2", () -> OpCall.of(row(), row()).constant(Tensor.scalar(0L))),
        slope("Slice", () -> OpCall.of(row()).constant(Tensor.of(1L)).constant(Tensor.of(2L))),
        slope(
            "StridedSlice",
            () ->
                OpCall.of(row())
                    .constant(Tensor.of(3L))
                    .constant(Tensor.of(0L))
                    .constant(Tensor.of(-2L))),
        slope("Gather", () -> OpCall.of(row(), Tensor.of(3L, 1L, 3L))),
        slope(
            "GatherV2", () -> OpCall.of(row(), Tensor.of(3L, 1L, 3L)).constant(Tensor.scalar(0L))),
        slope(
            "GatherV2", () -> OpCall.of(matrix(), Tensor.of(1L, 1L)).constant(Tensor.scalar(-1L))),
        slope(
            "GatherV2",
            () ->
                OpCall.of(matrix(), Tensor.of(1L, 1L))
                    .constant(Tensor.scalar(-1L))
                    .attr("batch_dims", -1)),
        slope("GatherNd", () -> OpCall.of(matrix(), Tensor.of(1L, 0L))),
        slope("GatherNd", () -> OpCall.of(row(), Tensor.of(Shape.of(2, 1), 3L, 3L))),
        slope("Transpose", () -> OpCall.of(matrix()).constant(Tensor.of(1L, 0L))),
        slope("Tile", () -> OpCall.of(matrix()).constant(Tensor.of(2L, 3L))),
        slope("BroadcastTo", () -> OpCall.of(row()).constant(Tensor.of(2L, 4L))),
        slope("ReverseV2", () -> OpCall.of(matrix()).constant(Tensor.of(1L))),
        slope("Pad", () -> OpCall.of(row()).constant(Tensor.of(Shape.of(1, 2), 1L, 2L))),
        slope("Reshape", () -> OpCall.of(matrix()).constant(Tensor.of(-1L))),
        slope("ExpandDims", () -> OpCall.of(row()).constant(Tensor.scalar(1L))));
  }

  private static DynamicTest slope(String op, Supplier<OpCall> supplier) {
    return DynamicTest.dynamicTest(
        op,
        () -> {
          OpRow row = OpRow.of(op).gradientOf(0);
          try (OpCall call = supplier.get();
              CallGradients gradients = new CallGradients(Ops.registry(), row, call, SEED)) {
            NumericGradient.require(gradients, call, SEED);
          }
        });
  }

  private static Tensor row() {
    return Tensor.of(1.0, -2.0, 3.0, 0.5);
  }

  private static Tensor matrix() {
    return Tensor.of(Shape.of(2, 2), 1.0, -2.0, 3.0, 0.5);
  }
}
