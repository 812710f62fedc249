package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
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
public final class InplaceOps {
  private final Scope scope;

  InplaceOps(Scope scope) {
    this.scope = scope;
  }

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

  /** A tensor of zeros. */
  public Output empty(Operand shape, DataType type) {
    return scope
        .operation("Empty")
        .input(shape)
        .attr("dtype", type)
        .attr("init", true)
        .buildOutput();
  }

  /** The rows of x with those that {@code rows} names replaced. */
  public Output update(Operand x, Operand rows, Operand values) {
    return change("InplaceUpdate", x, rows, values);
  }

  /** The rows of x with values added to those that {@code rows} names. */
  public Output add(Operand x, Operand rows, Operand values) {
    return change("InplaceAdd", x, rows, values);
  }

  /** The rows of x with values subtracted from those that {@code rows} names. */
  public Output subtract(Operand x, Operand rows, Operand values) {
    return change("InplaceSub", x, rows, values);
  }

  private Output change(String type, Operand x, Operand rows, Operand values) {
    return scope.operation(type).input(x).input(rows).input(values).buildOutput();
  }
}
