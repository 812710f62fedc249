package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.InplaceRows;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * Tensors whose rows are changed one after the other. Unlike TensorFlow's, these ops change the
 * input itself only where nobody else can see it.
 */
final class InplaceOps {
  private InplaceOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Empty")
            .input("shape: int32")
            .output("output: dtype")
            .attr("dtype: type")
            .attr("init: bool = false")
            .stateful()
            .shape(c -> c.output(0, c.knownShape(0)))
            .kernel(
                node -> {
                  DataType type = node.attributes().type("dtype");
                  return c ->
                      c.setOutput(
                          0, Tensor.zeros(c.allocator(), type, IndexTensors.toShape(c.input(0))));
                })
            .notDifferentiable(),
        rows("InplaceUpdate", InplaceRows.UPDATE),
        rows("InplaceAdd", InplaceRows.ADD),
        rows("InplaceSub", InplaceRows.SUBTRACT));
  }

  private static OpDeclaration rows(String name, InplaceRows change) {
    return op(name)
        .input("x: T")
        .input("i: int32")
        .input("v: T")
        .output("y: T")
        .attr("T: type")
        .shape(ShapeRules::unchanged)
        .kernel(node -> change)
        .notDifferentiable();
  }
}
