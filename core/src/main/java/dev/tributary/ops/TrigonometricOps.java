package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;
import static dev.tributary.ops.ElementWise.unary;
import static dev.tributary.ops.TypeSpecs.REAL;
import static dev.tributary.ops.TypeSpecs.REAL_OR_COMPLEX;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.math.BinaryKernel;
import dev.tributary.internal.kernel.math.Trigonometry;
import dev.tributary.internal.op.OpDeclaration;
import java.util.List;

/** Inverse and hyperbolic functions of angles. */
abstract sealed class TrigonometricOps extends ComplexOps permits UnaryMathOps {
  TrigonometricOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        unary("Asin", REAL_OR_COMPLEX, Trigonometry.ASIN)
            .grad((tf, op, dy) -> List.of(tf.mul(dy, tf.math.rsqrt(squareBelowOne(tf, op))))),
        unary("Acos", REAL_OR_COMPLEX, Trigonometry.ACOS)
            .grad(
                (tf, op, dy) -> List.of(tf.neg(tf.mul(dy, tf.math.rsqrt(squareBelowOne(tf, op)))))),
        unary("Atan", REAL_OR_COMPLEX, Trigonometry.ATAN)
            .grad(
                (tf, op, dy) ->
                    List.of(tf.div(dy, tf.math.shift(tf.square(conjugateX(tf, op)), 1)))),
        unary("Sinh", REAL_OR_COMPLEX, Trigonometry.SINH)
            .grad((tf, op, dy) -> List.of(tf.mul(dy, tf.math.cosh(conjugateX(tf, op))))),
        unary("Cosh", REAL_OR_COMPLEX, Trigonometry.COSH)
            .grad((tf, op, dy) -> List.of(tf.mul(dy, tf.math.sinh(conjugateX(tf, op))))),
        unary("Asinh", REAL_OR_COMPLEX, Trigonometry.ASINH)
            .grad((tf, op, dy) -> List.of(tf.div(dy, tf.math.cosh(tf.math.conj(op.output(0)))))),
        unary("Acosh", REAL_OR_COMPLEX, Trigonometry.ACOSH)
            .grad((tf, op, dy) -> List.of(tf.div(dy, tf.math.sinh(tf.math.conj(op.output(0)))))),
        unary("Atanh", REAL_OR_COMPLEX, Trigonometry.ATANH)
            .grad((tf, op, dy) -> List.of(tf.div(dy, squareBelowOne(tf, op)))),
        op("Atan2")
            .input("y: T")
            .input("x: T")
            .output("z: T")
            .attr(REAL)
            .shape(ElementWise::broadcast)
            .kernel(BinaryKernel.of(Trigonometry.ATAN2))
            .grad(
                (tf, op, dy) -> {
                  Output y = op.input(0);
                  Output x = op.input(1);
                  Output share = tf.div(dy, tf.add(tf.square(x), tf.square(y)));
                  return BroadcastGradients.reduce(
                      tf, y, tf.mul(x, share), x, tf.neg(tf.mul(y, share)));
                }));
  }

  private static Output squareBelowOne(Ops tf, Operation op) {
    return tf.math.shift(tf.neg(tf.square(conjugateX(tf, op))), 1);
  }

  public Output asin(Operand x) {
    return scope.operation("Asin").input(x).buildOutput();
  }

  public Output acos(Operand x) {
    return scope.operation("Acos").input(x).buildOutput();
  }

  public Output atan(Operand x) {
    return scope.operation("Atan").input(x).buildOutput();
  }

  /** The angle of the point (x, y). */
  public Output atan2(Operand y, Operand x) {
    return scope.operation("Atan2").input(y).input(x).buildOutput();
  }

  public Output sinh(Operand x) {
    return scope.operation("Sinh").input(x).buildOutput();
  }

  public Output cosh(Operand x) {
    return scope.operation("Cosh").input(x).buildOutput();
  }

  public Output asinh(Operand x) {
    return scope.operation("Asinh").input(x).buildOutput();
  }

  public Output acosh(Operand x) {
    return scope.operation("Acosh").input(x).buildOutput();
  }

  public Output atanh(Operand x) {
    return scope.operation("Atanh").input(x).buildOutput();
  }
}
