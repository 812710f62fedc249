package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.array.DataFormats;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import java.util.List;

/**
 * Ops that TensorFlow's optimizer puts into a graph when it changes the order of dimensions of
 * images; no client adds them.
 */
final class DataFormatOps {
  private DataFormatOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        formats("DataFormatDimMap")
            .shape(ShapeRules::unchanged)
            .kernel(DataFormats::dimensions)
            .notDifferentiable(),
        formats("DataFormatVecPermute")
            .shape(ShapeRules::unchanged)
            .kernel(DataFormats::values)
            .notDifferentiable());
  }

  private static Declaration formats(String name) {
    return op(name)
        .input("x: T")
        .output("y: T")
        .attr("T: {int32, int64} = int32")
        .attr("src_format: string = 'NHWC'")
        .attr("dst_format: string = 'NCHW'");
  }
}
