package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.gradient.Dense;
import dev.tributary.internal.kernel.variant.VariantKernels;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** Optionals: some tensors or nothing, held by a variant scalar. */
final class OptionalOps {
  private final Scope scope;

  OptionalOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("OptionalFromValue")
            .input("components: Toutput_types")
            .output("optional: variant")
            .attr("Toutput_types: list(type) >= 1")
            .shape(
                c -> {
                  List<Shape> shapes = new ArrayList<>();
                  for (int i = 0; i < c.inputCount(); i++) {
                    shapes.add(c.input(i));
                  }
                  c.output(0, Shape.scalar());
                  c.outputHandles(0, shapes);
                })
            .kernel(node -> VariantKernels::optionalFromValue)
            .grad(OptionalOps::ofFromValue),
        op("OptionalNone")
            .output("optional: variant")
            .shape(ShapeRules::scalar)
            .kernel(node -> VariantKernels::optionalNone)
            .notDifferentiable(),
        op("OptionalHasValue")
            .input("optional: variant")
            .output("has_value: bool")
            .shape(ShapeRules::scalar)
            .kernel(node -> VariantKernels::optionalHasValue)
            .notDifferentiable(),
        op("OptionalGetValue")
            .input("optional: variant")
            .output("components: output_types")
            .attr("output_types: list(type) >= 1")
            .attr("output_shapes: list(shape) >= 1")
            .shape(
                c -> {
                  List<Shape> shapes = c.attributes().shapes("output_shapes");
                  for (int i = 0; i < Math.min(shapes.size(), c.outputCount()); i++) {
                    c.output(i, shapes.get(i));
                  }
                })
            .kernel(VariantKernels::optionalGetValue)
            .gradRule(OptionalOps::ofGetValue));
  }

  private static List<Output> ofFromValue(Ops tf, Operation op, Output dy) {
    List<DataType> types = op.inputs().stream().map(Output::type).toList();
    List<Shape> shapes = op.inputs().stream().map(Output::shape).toList();
    return new OptionalOps(tf.scope()).getValue(dy, types, shapes);
  }

  /** The gradient has a component for each of the value, also for those that have none. */
  private static List<Output> ofGetValue(
      Scope scope, Operation op, List<? extends GradientValue> dy) {
    List<Output> components = new ArrayList<>();
    for (int i = 0; i < dy.size(); i++) {
      components.add(
          dy.get(i) instanceof GradientValue.None
              ? new Ops(scope).zerosLike(op.output(i))
              : Dense.of(scope, dy.get(i)));
    }
    return List.of(new OptionalOps(scope).fromValue(components));
  }

  Output fromValue(List<? extends Operand> components) {
    return scope.operation("OptionalFromValue").inputList(components).buildOutput();
  }

  List<Output> getValue(Operand optional, List<DataType> types, List<Shape> shapes) {
    return scope
        .operation("OptionalGetValue")
        .input(optional)
        .attr("output_types", AttrValue.ofTypes(types))
        .attr("output_shapes", AttrValue.ofShapes(shapes))
        .build()
        .outputs();
  }
}
