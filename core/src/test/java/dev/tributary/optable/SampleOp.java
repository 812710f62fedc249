package dev.tributary.optable;

import dev.tributary.graph.Output;
import dev.tributary.internal.gradient.GradientRule;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpDefBuilder;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.op.ShapeRule;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A Neg that can be declared wrongly in one respect at a time, for tests that the checks catch it.
 *
 * <p>It stands in a registry with the rest of the library's ops.
 */
public record SampleOp(ShapeRule shape, KernelFactory kernel, Optional<GradientRule> gradient) {
  /** As it should be. */
  public static SampleOp right() {
    return new SampleOp(
        ShapeRules::unchanged,
        node -> context -> negate(context, context.allocateOutput(0, context.input(0).shape())),
        Optional.of(
            (scope, op, dy) ->
                List.of(scope.operation("Neg").input((Output) dy.get(0)).buildOutput())));
  }

  /** The row of a Neg. */
  public static OpRow row() {
    return OpRow.of("Neg")
        .example(() -> OpCall.of(Tensor.of(1f, -2f)), Tensor.of(-1f, 2f))
        .types(DataType.FLOAT, DataType.DOUBLE)
        .draw(d -> OpCall.of(d.tensor(d.shape(0, 3))))
        .gradientOf(0);
  }

  public SampleOp withShape(ShapeRule rule) {
    return new SampleOp(rule, kernel, gradient);
  }

  public SampleOp withKernel(KernelFactory factory) {
    return new SampleOp(shape, factory, gradient);
  }

  public SampleOp withGradient(GradientRule rule) {
    return new SampleOp(shape, kernel, Optional.of(rule));
  }

  public OpRegistry registry() {
    List<OpDeclaration> all = new ArrayList<>(Ops.registry().all());
    all.removeIf(declaration -> declaration.name().equals("Neg"));
    all.add(
        new OpDeclaration(
            new OpDefBuilder("Neg").input("x: T").output("y: T").attr("T: {float, double}").build(),
            shape,
            Optional.empty(),
            kernel,
            gradient,
            FlowKind.NONE,
            Set.of()));
    return new OpRegistry(all);
  }

  /** Writes the negatives of the first input's elements to a tensor. */
  static void negate(KernelContext context, Tensor output) {
    Tensor input = context.input(0);
    for (long i = 0; i < input.elementCount(); i++) {
      if (input.type() == DataType.DOUBLE) {
        Memory.putDouble(output.storage().address() + 8 * i, -input.getDouble(i));
      } else {
        Memory.putFloat(output.storage().address() + 4 * i, -input.getFloat(i));
      }
    }
  }

  /** A shape that is never right: one dimension more than the input's. */
  static Shape wrong(Shape shape) {
    return shape.hasRank() ? shape.concatenate(Shape.of(1)) : shape;
  }
}
