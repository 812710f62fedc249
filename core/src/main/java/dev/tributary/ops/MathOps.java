package dev.tributary.ops;

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

  public Output add(Output x, Output y) {
    return scope.operation("AddV2").input(x).input(y).buildOutput();
  }

  /** The sum of tensors of one shape. */
  public Output addN(List<Output> inputs) {
    return scope.operation("AddN").inputList(inputs).buildOutput();
  }

  /** Adds the same number to each element. */
  public Output shift(Output x, double summand) {
    return add(x, constant(x, summand));
  }

  /** Multiplies each element by the same number. */
  public Output scale(Output x, double factor) {
    return mul(x, constant(x, factor));
  }

  public Output sub(Output x, Output y) {
    return scope.operation("Sub").input(x).input(y).buildOutput();
  }

  public Output mul(Output x, Output y) {
    return scope.operation("Mul").input(x).input(y).buildOutput();
  }

  /** Division where integers are cut towards zero. */
  public Output div(Output x, Output y) {
    return scope.operation("Div").input(x).input(y).buildOutput();
  }

  /** Division of real numbers. */
  public Output realDiv(Output x, Output y) {
    return scope.operation("RealDiv").input(x).input(y).buildOutput();
  }

  /** Division where every quotient is cut towards negative infinity. */
  public Output floorDiv(Output x, Output y) {
    return scope.operation("FloorDiv").input(x).input(y).buildOutput();
  }

  /** Division where every quotient is cut towards zero. */
  public Output truncateDiv(Output x, Output y) {
    return scope.operation("TruncateDiv").input(x).input(y).buildOutput();
  }

  /** The remainder with the divisor's sign. */
  public Output floorMod(Output x, Output y) {
    return scope.operation("FloorMod").input(x).input(y).buildOutput();
  }

  /** The remainder with the dividend's sign. */
  public Output mod(Output x, Output y) {
    return scope.operation("Mod").input(x).input(y).buildOutput();
  }

  public Output maximum(Output x, Output y) {
    return scope.operation("Maximum").input(x).input(y).buildOutput();
  }

  public Output minimum(Output x, Output y) {
    return scope.operation("Minimum").input(x).input(y).buildOutput();
  }

  public Output pow(Output x, Output y) {
    return scope.operation("Pow").input(x).input(y).buildOutput();
  }

  public Output squaredDifference(Output x, Output y) {
    return scope.operation("SquaredDifference").input(x).input(y).buildOutput();
  }

  /** Division which gives 0 where the divisor is 0. */
  public Output divNoNan(Output x, Output y) {
    return scope.operation("DivNoNan").input(x).input(y).buildOutput();
  }

  /** The elements, cut to lie between two bounds: scalars, or tensors of the same shape. */
  public Output clipByValue(Output x, Output low, Output high) {
    return scope.operation("ClipByValue").input(x).input(low).input(high).buildOutput();
  }

  public Output neg(Output x) {
    return scope.operation("Neg").input(x).buildOutput();
  }

  public Output abs(Output x) {
    return scope.operation("Abs").input(x).buildOutput();
  }

  public Output sign(Output x) {
    return scope.operation("Sign").input(x).buildOutput();
  }

  public Output square(Output x) {
    return scope.operation("Square").input(x).buildOutput();
  }

  public Output sqrt(Output x) {
    return scope.operation("Sqrt").input(x).buildOutput();
  }

  public Output rsqrt(Output x) {
    return scope.operation("Rsqrt").input(x).buildOutput();
  }

  public Output reciprocal(Output x) {
    return scope.operation("Reciprocal").input(x).buildOutput();
  }

  /** As {@link #reciprocal}, under its older name. */
  public Output inv(Output x) {
    return scope.operation("Inv").input(x).buildOutput();
  }

  public Output exp(Output x) {
    return scope.operation("Exp").input(x).buildOutput();
  }

  public Output expm1(Output x) {
    return scope.operation("Expm1").input(x).buildOutput();
  }

  public Output log(Output x) {
    return scope.operation("Log").input(x).buildOutput();
  }

  public Output log1p(Output x) {
    return scope.operation("Log1p").input(x).buildOutput();
  }

  public Output sin(Output x) {
    return scope.operation("Sin").input(x).buildOutput();
  }

  public Output cos(Output x) {
    return scope.operation("Cos").input(x).buildOutput();
  }

  public Output tan(Output x) {
    return scope.operation("Tan").input(x).buildOutput();
  }

  public Output tanh(Output x) {
    return scope.operation("Tanh").input(x).buildOutput();
  }

  public Output sigmoid(Output x) {
    return scope.operation("Sigmoid").input(x).buildOutput();
  }

  public Output floor(Output x) {
    return scope.operation("Floor").input(x).buildOutput();
  }

  public Output ceil(Output x) {
    return scope.operation("Ceil").input(x).buildOutput();
  }

  /** To the nearest whole number, and to the even one of two. */
  public Output round(Output x) {
    return scope.operation("Round").input(x).buildOutput();
  }

  /** As {@link #round}, for real numbers only. */
  public Output rint(Output x) {
    return scope.operation("Rint").input(x).buildOutput();
  }

  public Output erf(Output x) {
    return scope.operation("Erf").input(x).buildOutput();
  }

  public Output tanhGrad(Output y, Output dy) {
    return scope.operation("TanhGrad").input(y).input(dy).buildOutput();
  }

  public Output sigmoidGrad(Output y, Output dy) {
    return scope.operation("SigmoidGrad").input(y).input(dy).buildOutput();
  }

  public Output sqrtGrad(Output y, Output dy) {
    return scope.operation("SqrtGrad").input(y).input(dy).buildOutput();
  }

  public Output rsqrtGrad(Output y, Output dy) {
    return scope.operation("RsqrtGrad").input(y).input(dy).buildOutput();
  }

  public Output reciprocalGrad(Output y, Output dy) {
    return scope.operation("ReciprocalGrad").input(y).input(dy).buildOutput();
  }

  public Output invGrad(Output y, Output dy) {
    return scope.operation("InvGrad").input(y).input(dy).buildOutput();
  }

  /** The elements converted to another type; x itself if it has that type. */
  public Output cast(Output x, DataType type) {
    return x.type() == type ? x : scope.operation("Cast").input(x).attr("DstT", type).buildOutput();
  }

  private Output constant(Output like, double value) {
    return new Ops(scope).constant(like.type(), value);
  }
}
