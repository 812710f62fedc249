package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.quantize.RequantizeKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * Quantised numbers in another range, as graphs have them that were quantised by TensorFlow's
 * tools; no client adds them.
 */
final class RequantizeOps {
  private static final String TYPES = "{qint8, quint8, qint32, qint16, quint16}";

  private RequantizeOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        narrowing(numbers(op("QuantizeDownAndShrinkRange"), "Tinput"))
            .attr("Tinput: " + TYPES)
            .attr("out_type: " + TYPES)
            .shape(c -> narrowed(c, 0))
            .kernel(RequantizeKernels::shrink)
            .notDifferentiable(),
        range(numbers(op("RequantizationRange"), "Tinput"))
            .attr("Tinput: " + TYPES)
            .shape(c -> scalars(c, 0, 1))
            .kernel(RequantizeKernels::range)
            .notDifferentiable(),
        narrowing(requested(numbers(op("Requantize"), "Tinput")))
            .attr("Tinput: " + TYPES)
            .attr("out_type: " + TYPES)
            .shape(c -> narrowed(c, 0))
            .kernel(RequantizeKernels::requantize)
            .notDifferentiable(),
        range(numbers(op("RequantizationRangePerChannel"), "T"))
            .attr("T: " + TYPES + " = qint32")
            .attr("clip_value_max: float")
            .shape(c -> scalars(c, 1, 1))
            .kernel(RequantizeKernels::rangeOfChannels)
            .notDifferentiable(),
        narrowing(requested(numbers(op("RequantizePerChannel"), "T")))
            .attr("T: " + TYPES + " = qint32")
            .attr("out_type: " + TYPES + " = quint8")
            .shape(c -> narrowed(c, 1))
            .kernel(RequantizeKernels::requantizeChannels)
            .notDifferentiable());
  }

  private static Declaration numbers(Declaration declaration, String type) {
    return declaration.input("input: " + type).input("input_min: float").input("input_max: float");
  }

  private static Declaration requested(Declaration declaration) {
    return declaration.input("requested_output_min: float").input("requested_output_max: float");
  }

  private static Declaration range(Declaration declaration) {
    return declaration.output("output_min: float").output("output_max: float");
  }

  private static Declaration narrowing(Declaration declaration) {
    return range(declaration.output("output: out_type"));
  }

  private static void narrowed(InferenceContext context, int rank) {
    scalars(context, rank, 2);
    context.output(0, context.input(0));
    context.output(1, Shape.scalar());
  }

  /** Outputs up to {@code last} are scalars; the inputs' ranges have the given rank. */
  private static void scalars(InferenceContext context, int rank, int last) {
    for (int i = 1; i < context.inputCount(); i++) {
      context.withRank(i, i < 3 ? rank : 0);
    }
    context.output(last - 1, Shape.scalar());
    context.output(last, Shape.scalar());
  }
}
