package dev.tributary.ops;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import java.util.List;

/** Arithmetic and functions of single elements, with broadcasting. */
public final class MathOps {
  private final Scope scope;

  MathOps(Scope scope) {
    this.scope = scope;
  }

  Output add(Operand x, Operand y) {
    return scope.operation("AddV2").input(x).input(y).buildOutput();
  }

  Output addN(List<? extends Operand> inputs) {
    return scope.operation("AddN").inputList(inputs).buildOutput();
  }

  /** Adds the same number to each element. */
  public Output shift(Operand x, double summand) {
    return add(x, constant(x, summand));
  }

  /** Multiplies each element by the same number. */
  public Output scale(Operand x, double factor) {
    return mul(x, constant(x, factor));
  }

  Output sub(Operand x, Operand y) {
    return scope.operation("Sub").input(x).input(y).buildOutput();
  }

  Output mul(Operand x, Operand y) {
    return scope.operation("Mul").input(x).input(y).buildOutput();
  }

  Output div(Operand x, Operand y) {
    return scope.operation("Div").input(x).input(y).buildOutput();
  }

  /** Division of real numbers. */
  public Output realDiv(Operand x, Operand y) {
    return scope.operation("RealDiv").input(x).input(y).buildOutput();
  }

  /** Division where every quotient is cut towards negative infinity. */
  public Output floorDiv(Operand x, Operand y) {
    return scope.operation("FloorDiv").input(x).input(y).buildOutput();
  }

  /** Division where every quotient is cut towards zero. */
  public Output truncateDiv(Operand x, Operand y) {
    return scope.operation("TruncateDiv").input(x).input(y).buildOutput();
  }

  /** The remainder with the divisor's sign. */
  public Output floorMod(Operand x, Operand y) {
    return scope.operation("FloorMod").input(x).input(y).buildOutput();
  }

  /** The remainder with the dividend's sign. */
  public Output mod(Operand x, Operand y) {
    return scope.operation("Mod").input(x).input(y).buildOutput();
  }

  Output maximum(Operand x, Operand y) {
    return scope.operation("Maximum").input(x).input(y).buildOutput();
  }

  Output minimum(Operand x, Operand y) {
    return scope.operation("Minimum").input(x).input(y).buildOutput();
  }

  Output pow(Operand x, Operand y) {
    return scope.operation("Pow").input(x).input(y).buildOutput();
  }

  Output squaredDifference(Operand x, Operand y) {
    return scope.operation("SquaredDifference").input(x).input(y).buildOutput();
  }

  /** Division which gives 0 where the divisor is 0. */
  public Output divNoNan(Operand x, Operand y) {
    return scope.operation("DivNoNan").input(x).input(y).buildOutput();
  }

  /** The elements, cut to lie between two bounds: scalars, or tensors of the same shape. */
  public Output clipByValue(Operand x, Operand low, Operand high) {
    return scope.operation("ClipByValue").input(x).input(low).input(high).buildOutput();
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

  Output cast(Operand x, DataType type) {
    Output value = x.asOutput();
    return value.type() == type
        ? value
        : scope.operation("Cast").input(x).attr("DstT", type).buildOutput();
  }

  private Output constant(Operand like, double value) {
    return new Ops(scope).constant(like.asOutput().type(), value);
  }
}
