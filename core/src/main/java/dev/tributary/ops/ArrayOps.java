package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.KnownValue;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OpFlag;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.graph.ShapeRules;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Ops that make, reshape and rearrange tensors. */
public final class ArrayOps {
  private final Scope scope;

  ArrayOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Const")
            .output("output: dtype")
            .attr("value: tensor")
            .attr("dtype: type")
            .shape(c -> c.output(0, c.attributes().tensor("value").shape()))
            .value(c -> KnownValue.ofTensor(c.attributes().tensor("value")))
            .flag(OpFlag.CONSTANT)
            .kernel(
                node -> {
                  Tensor value = node.attributes().tensor("value");
                  return c -> c.setOutput(0, value.retain());
                })
            .notDifferentiable(),
        op("Placeholder")
            .output("output: dtype")
            .attr("dtype: type")
            .attr("shape: shape = { unknown_rank: true }")
            .shape(ShapeRules::fromAttribute)
            .flag(OpFlag.PLACEHOLDER)
            .kernel(
                node ->
                    c -> {
                      throw TributaryException.invalidArgument(
                          "you must feed a value for this placeholder, of type %s and shape %s",
                          node.attributes().type("dtype").lowerName(), node.attributes().shape("shape"));
                    })
            .notDifferentiable(),
        op("Identity")
            .input("input: T")
            .output("output: T")
            .attr("T: type")
            .shape(
                c -> {
                  ShapeRules.unchanged(c);
                  c.outputHandle(0, c.inputHandle(0));
                })
            .value(c -> c.known(0))
            .kernel(node -> c -> c.setOutput(0, c.input(0).retain()))
            .flag(OpFlag.PASSES_SLICES)
            .gradRule((scope, op, dy) -> dy));
  }

  /** A constant; the graph takes over the tensor's reference. */
  public Output constant(Tensor value) {
    return scope.operation("Const").attr("value", AttrValue.of(value)).attr("dtype", value.type()).buildOutput();
  }

  /** A value that every step must be fed. */
  public Output placeholder(DataType type, Shape shape) {
    return scope.operation("Placeholder").attr("dtype", type).attr("shape", shape).buildOutput();
  }

  public Output identity(Output input) {
    return scope.operation("Identity").input(input).buildOutput();
  }
}
