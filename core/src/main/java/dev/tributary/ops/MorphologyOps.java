package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.nn.Dilation;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import java.util.List;

/** Dilation of images, which are [batch, height, width, channels]. */
abstract sealed class MorphologyOps extends OrderOps permits Pool3dOps {
  private static final String INPUT_GRADIENT = "Dilation2DBackpropInput";
  private static final String FILTER_GRADIENT = "Dilation2DBackpropFilter";

  MorphologyOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        windows(op("Dilation2D").input("input: T").input("filter: T").output("output: T"))
            .shape(
                c ->
                    c.output(
                        0, Dilation.output(c.attributes(), c.withRank(0, 4), c.withRank(1, 3))))
            .kernel(Dilation::forward)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        SameAttributes.output(tf, op, INPUT_GRADIENT, op.input(0), op.input(1), dy),
                        SameAttributes.output(
                            tf, op, FILTER_GRADIENT, op.input(0), op.input(1), dy))),
        windows(gradient(INPUT_GRADIENT).output("in_backprop: T"))
            .shape(c -> c.output(0, c.withRank(0, 4)))
            .kernel(Dilation::inputGradient)
            .notDifferentiable(),
        windows(gradient(FILTER_GRADIENT).output("filter_backprop: T"))
            .shape(c -> c.output(0, c.withRank(1, 3)))
            .kernel(Dilation::filterGradient)
            .notDifferentiable());
  }

  private static Declaration gradient(String name) {
    return op(name).input("input: T").input("filter: T").input("out_backprop: T");
  }

  private static Declaration windows(Declaration declaration) {
    return declaration
        .attr(TypeSpecs.ORDERED)
        .attr("strides: list(int) >= 4")
        .attr("rates: list(int) >= 4")
        .attr("padding: {'SAME', 'VALID'}")
        .flag(OpFlag.EXPENSIVE);
  }

  /**
   * The greatest sum, for each place of a filter [height, width, channels] over the images, of an
   * element of the image and the filter's element above it.
   */
  public Output dilation2d(Operand input, Operand filter, int stride, int rate, Padding padding) {
    return scope
        .operation("Dilation2D")
        .input(input)
        .input(filter)
        .attr("strides", new long[] {1, stride, stride, 1})
        .attr("rates", new long[] {1, rate, rate, 1})
        .attr("padding", padding.name())
        .buildOutput();
  }
}
