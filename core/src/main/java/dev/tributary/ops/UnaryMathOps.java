package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;
import static dev.tributary.ops.ElementWise.gradient;
import static dev.tributary.ops.ElementWise.unary;
import static dev.tributary.ops.TypeSpecs.REAL;
import static dev.tributary.ops.TypeSpecs.REAL_OR_COMPLEX;
import static dev.tributary.ops.TypeSpecs.SIGNED;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.math.Functions;
import dev.tributary.internal.kernel.math.GradientLoops;
import dev.tributary.internal.op.FusionRole;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import java.util.List;

/** Functions of single elements, and their gradients. */
abstract sealed class UnaryMathOps extends TrigonometricOps permits MathOps {
  UnaryMathOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        unary("Neg", SIGNED, Functions.NEGATE)
            .flag(OpFlag.UNDOES_ITSELF)
            .grad((tf, op, dy) -> List.of(tf.neg(dy))),
        unary(
                "Abs",
                "T: {bfloat16, half, float, double, int8, int16, int32, int64}",
                Functions.ABSOLUTE)
            .grad((tf, op, dy) -> List.of(tf.mul(dy, tf.math.sign(op.input(0))))),
        unary("Sign", SIGNED, Functions.SIGN)
            .grad((tf, op, dy) -> List.of(tf.zerosLike(op.input(0)))),
        unary(
                "Square",
                "T: {bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16,"
                    + " uint32, uint64, complex64, complex128}",
                Functions.SQUARE)
            .grad((tf, op, dy) -> List.of(tf.mul(dy, tf.math.scale(conjugateX(tf, op), 2)))),
        unary("Sqrt", REAL_OR_COMPLEX, Functions.SQUARE_ROOT)
            .grad((tf, op, dy) -> List.of(tf.math.sqrtGrad(op.output(0), dy))),
        unary("Rsqrt", REAL_OR_COMPLEX, Functions.RECIPROCAL_SQUARE_ROOT)
            .grad((tf, op, dy) -> List.of(tf.math.rsqrtGrad(op.output(0), dy))),
        unary("Reciprocal", SIGNED, Functions.RECIPROCAL)
            .grad((tf, op, dy) -> List.of(tf.math.reciprocalGrad(op.output(0), dy))),
        unary("Inv", SIGNED, Functions.RECIPROCAL)
            .grad((tf, op, dy) -> List.of(tf.math.invGrad(op.output(0), dy))),
        unary("Exp", REAL_OR_COMPLEX, Functions.EXP)
            .grad((tf, op, dy) -> List.of(tf.mul(dy, tf.math.conj(op.output(0))))),
        unary("Expm1", REAL_OR_COMPLEX, Functions.EXPM1)
            .grad((tf, op, dy) -> List.of(tf.mul(dy, tf.exp(conjugateX(tf, op))))),
        unary("Log", REAL_OR_COMPLEX, Functions.LOG)
            .grad((tf, op, dy) -> List.of(tf.mul(dy, tf.math.reciprocal(conjugateX(tf, op))))),
        unary("Log1p", REAL_OR_COMPLEX, Functions.LOG1P)
            .grad(
                (tf, op, dy) ->
                    List.of(tf.mul(dy, tf.math.reciprocal(tf.math.shift(conjugateX(tf, op), 1))))),
        unary("Sin", REAL_OR_COMPLEX, Functions.SIN)
            .grad((tf, op, dy) -> List.of(tf.mul(dy, tf.math.cos(conjugateX(tf, op))))),
        unary("Cos", REAL_OR_COMPLEX, Functions.COS)
            .grad((tf, op, dy) -> List.of(tf.neg(tf.mul(dy, tf.math.sin(conjugateX(tf, op)))))),
        unary("Tan", REAL_OR_COMPLEX, Functions.TAN)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        tf.mul(
                            tf.square(tf.math.reciprocal(tf.math.cos(conjugateX(tf, op)))), dy))),
        unary("Tanh", REAL_OR_COMPLEX, Functions.TANH)
            .fusion(new FusionRole.Function(Activation.TANH))
            .grad((tf, op, dy) -> List.of(tf.math.tanhGrad(tf.math.conj(op.output(0)), dy))),
        unary("Sigmoid", REAL_OR_COMPLEX, Functions.SIGMOID)
            .grad((tf, op, dy) -> List.of(tf.math.sigmoidGrad(tf.math.conj(op.output(0)), dy))),
        unary("Floor", REAL, Functions.FLOOR).notDifferentiable(),
        unary("Ceil", REAL, Functions.CEIL).notDifferentiable(),
        unary("Round", SIGNED, Functions.ROUND).notDifferentiable(),
        unary("Rint", REAL, Functions.ROUND).notDifferentiable(),
        unary("Erf", REAL, Functions.ERF).grad(MathGradients::erf),
        gradient("TanhGrad", GradientLoops.TANH).grad(MathGradients::tanhGrad),
        gradient("SigmoidGrad", GradientLoops.SIGMOID).grad(MathGradients::sigmoidGrad),
        gradient("SqrtGrad", GradientLoops.SQUARE_ROOT).grad(MathGradients::sqrtGrad),
        gradient("RsqrtGrad", GradientLoops.RECIPROCAL_SQUARE_ROOT).grad(MathGradients::rsqrtGrad),
        gradient("ReciprocalGrad", GradientLoops.RECIPROCAL).grad(MathGradients::reciprocalGrad),
        gradient("InvGrad", GradientLoops.RECIPROCAL).grad(MathGradients::reciprocalGrad));
  }

  Output neg(Operand x) {
    return scope.operation("Neg").input(x).buildOutput();
  }

  Output abs(Operand x) {
    return scope.operation("Abs").input(x).buildOutput();
  }

  public Output sign(Operand x) {
    return scope.operation("Sign").input(x).buildOutput();
  }

  Output square(Operand x) {
    return scope.operation("Square").input(x).buildOutput();
  }

  Output sqrt(Operand x) {
    return scope.operation("Sqrt").input(x).buildOutput();
  }

  public Output rsqrt(Operand x) {
    return scope.operation("Rsqrt").input(x).buildOutput();
  }

  public Output reciprocal(Operand x) {
    return scope.operation("Reciprocal").input(x).buildOutput();
  }

  /** As {@link #reciprocal}, under its older name. */
  Output inv(Operand x) {
    return scope.operation("Inv").input(x).buildOutput();
  }

  Output exp(Operand x) {
    return scope.operation("Exp").input(x).buildOutput();
  }

  public Output expm1(Operand x) {
    return scope.operation("Expm1").input(x).buildOutput();
  }

  Output log(Operand x) {
    return scope.operation("Log").input(x).buildOutput();
  }

  public Output log1p(Operand x) {
    return scope.operation("Log1p").input(x).buildOutput();
  }

  public Output sin(Operand x) {
    return scope.operation("Sin").input(x).buildOutput();
  }

  public Output cos(Operand x) {
    return scope.operation("Cos").input(x).buildOutput();
  }

  public Output tan(Operand x) {
    return scope.operation("Tan").input(x).buildOutput();
  }

  Output tanh(Operand x) {
    return scope.operation("Tanh").input(x).buildOutput();
  }

  Output sigmoid(Operand x) {
    return scope.operation("Sigmoid").input(x).buildOutput();
  }

  public Output floor(Operand x) {
    return scope.operation("Floor").input(x).buildOutput();
  }

  public Output ceil(Operand x) {
    return scope.operation("Ceil").input(x).buildOutput();
  }

  /** To the nearest whole number, and to the even one of two. */
  public Output round(Operand x) {
    return scope.operation("Round").input(x).buildOutput();
  }

  /** As {@link #round}, for real numbers only. */
  public Output rint(Operand x) {
    return scope.operation("Rint").input(x).buildOutput();
  }

  public Output erf(Operand x) {
    return scope.operation("Erf").input(x).buildOutput();
  }

  Output tanhGrad(Operand y, Operand dy) {
    return scope.operation("TanhGrad").input(y).input(dy).buildOutput();
  }

  Output sigmoidGrad(Operand y, Operand dy) {
    return scope.operation("SigmoidGrad").input(y).input(dy).buildOutput();
  }

  Output sqrtGrad(Operand y, Operand dy) {
    return scope.operation("SqrtGrad").input(y).input(dy).buildOutput();
  }

  Output rsqrtGrad(Operand y, Operand dy) {
    return scope.operation("RsqrtGrad").input(y).input(dy).buildOutput();
  }

  Output reciprocalGrad(Operand y, Operand dy) {
    return scope.operation("ReciprocalGrad").input(y).input(dy).buildOutput();
  }

  Output invGrad(Operand y, Operand dy) {
    return scope.operation("InvGrad").input(y).input(dy).buildOutput();
  }
}
