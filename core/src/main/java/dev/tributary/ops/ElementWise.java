package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.UnaryLoop;
import dev.tributary.internal.kernel.math.BinaryKernel;
import dev.tributary.internal.kernel.math.UnaryKernel;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.internal.op.ValueRule;
import java.util.Optional;
import java.util.function.LongBinaryOperator;

/** Declarations of element-wise ops, complete but for the gradient. */
final class ElementWise {
  private ElementWise() {}

  /** A function of one element. */
  static Declaration unary(String name, String types, UnaryLoop loop) {
    return op(name)
        .input("x: T")
        .output("y: T")
        .attr(types)
        .shape(ShapeRules::unchanged)
        .kernel(UnaryKernel.of(loop));
  }

  /** A question about one element. */
  static Declaration test(String name, String types, UnaryLoop loop) {
    return op(name)
        .input("x: T")
        .output("y: bool")
        .attr(types)
        .shape(ShapeRules::unchanged)
        .kernel(UnaryKernel.of(loop));
  }

  /** A function of two elements, with broadcasting. */
  static Declaration binary(String name, String types, BinaryLoop loop) {
    return op(name)
        .input("x: T")
        .input("y: T")
        .output("z: T")
        .attr(types)
        .shape(ElementWise::broadcast)
        .kernel(BinaryKernel.of(loop));
  }

  /** A question about two elements, with broadcasting. */
  static Declaration compare(String name, String types, BinaryLoop loop) {
    return op(name)
        .input("x: T")
        .input("y: T")
        .output("z: bool")
        .attr(types)
        .shape(ElementWise::broadcast)
        .kernel(BinaryKernel.of(loop));
  }

  /** The gradient of a function of one element by its result y and the result's gradient. */
  static Declaration gradient(String name, BinaryLoop loop) {
    return op(name)
        .input("y: T")
        .input("dy: T")
        .output("z: T")
        .attr(TypeSpecs.REAL_OR_COMPLEX)
        .shape(ShapeRules::allSame)
        .kernel(BinaryKernel.of(loop));
  }

  /** The shape rule of two broadcast inputs. */
  static void broadcast(InferenceContext context) {
    context.output(0, Broadcast.shape(context.input(0), context.input(1)));
  }

  /** The known part of the result, for sizes and indices. */
  static ValueRule known(LongBinaryOperator function) {
    return context -> {
      Optional<KnownValue> left = context.known(0);
      Optional<KnownValue> right = context.known(1);
      return left.isPresent() && right.isPresent()
          ? known(left.get(), right.get(), function)
          : Optional.empty();
    };
  }

  private static Optional<KnownValue> known(
      KnownValue left, KnownValue right, LongBinaryOperator function) {
    int leftCount = left.elements().length;
    int rightCount = right.elements().length;
    long[] values = new long[leftCount == 1 ? rightCount : leftCount];
    for (int i = 0; i < values.length; i++) {
      long x = left.elements()[leftCount == 1 ? 0 : i];
      long y = right.elements()[rightCount == 1 ? 0 : i];
      boolean complete = x != KnownValue.UNKNOWN && y != KnownValue.UNKNOWN;
      values[i] = complete ? function.applyAsLong(x, y) : KnownValue.UNKNOWN;
    }
    return Optional.of(new KnownValue(left.isScalar() && right.isScalar(), values));
  }
}
