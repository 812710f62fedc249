package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.quantize.DequantizeKernel;
import dev.tributary.internal.kernel.quantize.FakeQuantKernels;
import dev.tributary.internal.kernel.quantize.QuantizeKernel;
import dev.tributary.internal.kernel.quantize.RoundTripKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Quantisation: floats in even steps between a least and a greatest value. */
public final class QuantizeOps {
  private final Scope scope;

  QuantizeOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        steps(
                op("FakeQuantWithMinMaxArgs")
                    .input("inputs: float")
                    .output("outputs: float")
                    .attr("min: float = -6")
                    .attr("max: float = 6"))
            .shape(ShapeRules::unchanged)
            .kernel(FakeQuantKernels::ofArgs)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        SameAttributes.output(
                            tf, op, "FakeQuantWithMinMaxArgsGradient", dy, op.input(0)))),
        steps(
                op("FakeQuantWithMinMaxArgsGradient")
                    .input("gradients: float")
                    .input("inputs: float")
                    .output("backprops: float")
                    .attr("min: float = -6")
                    .attr("max: float = 6"))
            .shape(ShapeRules::allSame)
            .kernel(FakeQuantKernels::gradientOfArgs)
            .notDifferentiable(),
        ofVars("FakeQuantWithMinMaxVars", false),
        gradientOfVars("FakeQuantWithMinMaxVarsGradient", false),
        ofVars("FakeQuantWithMinMaxVarsPerChannel", true),
        gradientOfVars("FakeQuantWithMinMaxVarsPerChannelGradient", true),
        op("Dequantize")
            .input("input: T")
            .input("min_range: float")
            .input("max_range: float")
            .output("output: dtype")
            .attr("T: {qint8, quint8, qint32, qint16, quint16}")
            .attr("mode: {'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = 'MIN_COMBINED'")
            .attr("narrow_range: bool = false")
            .attr("axis: int = -1")
            .attr("dtype: {bfloat16, float} = float")
            .shape(ShapeRules::unchanged)
            .kernel(DequantizeKernel::new)
            .notDifferentiable(),
        op("QuantizeV2")
            .input("input: float")
            .input("min_range: float")
            .input("max_range: float")
            .output("output: T")
            .output("output_min: float")
            .output("output_max: float")
            .attr("T: {qint8, quint8, qint32, qint16, quint16}")
            .attr("mode: {'MIN_COMBINED', 'MIN_FIRST', 'SCALED'} = 'MIN_COMBINED'")
            .attr("round_mode: {'HALF_AWAY_FROM_ZERO', 'HALF_TO_EVEN'} = 'HALF_AWAY_FROM_ZERO'")
            .attr("narrow_range: bool = false")
            .attr("axis: int = -1")
            .attr("ensure_minimum_range: float = 0.01")
            .shape(
                c -> {
                  Shape range = rangeOfAxis(c, 0, 1);
                  c.output(0, c.input(0));
                  c.output(1, range);
                  c.output(2, range);
                })
            .kernel(QuantizeKernel::new)
            .notDifferentiable(),
        op("QuantizeAndDequantize")
            .input("input: T")
            .output("output: T")
            .attr("signed_input: bool = true")
            .attr("num_bits: int = 8")
            .attr("range_given: bool = false")
            .attr("input_min: float = 0")
            .attr("input_max: float = 0")
            .attr(TypeSpecs.REAL)
            .deprecated(22, "Replaced by QuantizeAndDequantizeV2")
            .shape(ShapeRules::unchanged)
            .kernel(RoundTripKernels::ofAttributes)
            .grad((tf, op, dy) -> List.of(dy)),
        roundTrip("QuantizeAndDequantizeV2")
            .grad((tf, op, dy) -> List.of(dy, GradientValue.none(), GradientValue.none())),
        op("QuantizeAndDequantizeV3")
            .input("input: T")
            .input("input_min: T")
            .input("input_max: T")
            .input("num_bits: int32")
            .output("output: T")
            .attr("signed_input: bool = true")
            .attr("range_given: bool = true")
            .attr(TypeSpecs.REAL)
            .attr("narrow_range: bool = false")
            .attr("axis: int = -1")
            .shape(
                c -> {
                  rangeOfAxis(c, 0, 1);
                  c.withRank(3, 0);
                  c.output(0, c.input(0));
                })
            .kernel(RoundTripKernels::ofRangeAndBits)
            .grad(
                (tf, op, dy) ->
                    List.of(dy, GradientValue.none(), GradientValue.none(), GradientValue.none())),
        roundTrip("QuantizeAndDequantizeV4")
            .grad(
                (tf, op, dy) ->
                    SameAttributes.operation(
                            tf,
                            op,
                            "QuantizeAndDequantizeV4Grad",
                            List.of(dy, op.input(0), op.input(1), op.input(2)))
                        .outputs()),
        op("QuantizeAndDequantizeV4Grad")
            .input("gradients: T")
            .input("input: T")
            .input("input_min: T")
            .input("input_max: T")
            .output("input_backprop: T")
            .output("input_min_backprop: T")
            .output("input_max_backprop: T")
            .attr(TypeSpecs.REAL)
            .attr("axis: int = -1")
            .shape(
                c -> {
                  Shape range = rangeOfAxis(c, 1, 2);
                  c.output(0, c.merged(0, 1));
                  c.output(1, range);
                  c.output(2, range);
                })
            .kernel(RoundTripKernels::gradient)
            .notDifferentiable());
  }

  private static Declaration roundTrip(String name) {
    return op(name)
        .input("input: T")
        .input("input_min: T")
        .input("input_max: T")
        .output("output: T")
        .attr("signed_input: bool = true")
        .attr("num_bits: int = 8")
        .attr("range_given: bool = false")
        .attr(TypeSpecs.REAL)
        .attr("round_mode: {'HALF_TO_EVEN', 'HALF_UP'} = 'HALF_TO_EVEN'")
        .attr("narrow_range: bool = false")
        .attr("axis: int = -1")
        .shape(
            c -> {
              rangeOfAxis(c, 0, 1);
              c.output(0, c.input(0));
            })
        .kernel(RoundTripKernels::ofRange);
  }

  /**
   * The shape of the ranges of {@code input}, which inputs {@code first} and the next have: there
   * is one for each slice along attribute {@code axis}, or a single one.
   */
  private static Shape rangeOfAxis(InferenceContext context, int input, int first) {
    int axis = context.attributes().int32("axis");
    if (axis < 0) {
      context.withRank(first, 0);
      context.withRank(first + 1, 0);
      return Shape.scalar();
    }
    Shape values = context.withRankAtLeast(input, axis + 1);
    Shape ranges = context.withRank(first, 1).merge(context.withRank(first + 1, 1));
    return values.hasRank() ? ranges.merge(Shape.of(values.size(axis))) : ranges;
  }

  private static OpDeclaration ofVars(String name, boolean channels) {
    return steps(
            op(name)
                .input("inputs: float")
                .input("min: float")
                .input("max: float")
                .output("outputs: float"))
        .shape(
            c -> {
              requireRanges(c, 1, channels);
              ShapeRules.unchanged(c);
            })
        .kernel(node -> FakeQuantKernels.ofVars(node, channels))
        .grad(QuantizeOps::gradient);
  }

  private static OpDeclaration gradientOfVars(String name, boolean channels) {
    return steps(
            op(name)
                .input("gradients: float")
                .input("inputs: float")
                .input("min: float")
                .input("max: float")
                .output("backprops_wrt_input: float")
                .output("backprop_wrt_min: float")
                .output("backprop_wrt_max: float"))
        .shape(
            c -> {
              requireRanges(c, 2, channels);
              c.output(0, c.merged(0, 1));
              c.output(1, c.withRank(2, channels ? 1 : 0));
              c.output(2, c.withRank(3, channels ? 1 : 0));
            })
        .kernel(node -> FakeQuantKernels.gradientOfVars(node, channels))
        .notDifferentiable();
  }

  private static Declaration steps(Declaration declaration) {
    return declaration.attr("num_bits: int = 8").attr("narrow_range: bool = false");
  }

  private static void requireRanges(InferenceContext context, int first, boolean channels) {
    context.withRank(first, channels ? 1 : 0);
    context.withRank(first + 1, channels ? 1 : 0);
    if (channels) {
      context.withRankAtLeast(0, 1);
    }
  }

  private static List<Output> gradient(Ops tf, Operation op, Output dy) {
    return SameAttributes.operation(
            tf, op, op.type() + "Gradient", List.of(dy, op.input(0), op.input(1), op.input(2)))
        .outputs();
  }

  /**
   * Rounds values as a quantised type of {@code bits} bits between {@code min} and {@code max}
   * would, for training; gradients pass where values are in range.
   */
  public Output fakeQuant(Operand inputs, Operand min, Operand max, long bits) {
    return scope
        .operation("FakeQuantWithMinMaxVars")
        .input(inputs)
        .input(min)
        .input(max)
        .attr("num_bits", bits)
        .buildOutput();
  }

  /** The same with a range for each channel, which is the last dimension. */
  public Output fakeQuantPerChannel(Operand inputs, Operand min, Operand max, long bits) {
    return scope
        .operation("FakeQuantWithMinMaxVarsPerChannel")
        .input(inputs)
        .input(min)
        .input(max)
        .attr("num_bits", bits)
        .buildOutput();
  }

  /**
   * Real numbers as elements of a quantised type that spans about the given range (0), and the
   * least (1) and the greatest number (2) that it spans.
   */
  public List<Output> quantize(Operand input, Operand min, Operand max, DataType type) {
    return scope
        .operation("QuantizeV2")
        .input(input)
        .input(min)
        .input(max)
        .attr("T", type)
        .build()
        .outputs();
  }

  /**
   * Rounds values as a signed type of {@code bits} bits between {@code min} and {@code max} would;
   * gradients pass where values are in range.
   */
  public Output quantizeAndDequantize(Operand input, Operand min, Operand max, long bits) {
    return scope
        .operation("QuantizeAndDequantizeV4")
        .input(input)
        .input(min)
        .input(max)
        .attr("num_bits", bits)
        .attr("range_given", true)
        .buildOutput();
  }

  /** The real numbers that quantised elements between two values stand for. */
  public Output dequantize(Operand input, Operand min, Operand max) {
    return scope.operation("Dequantize").input(input).input(min).input(max).buildOutput();
  }
}
