package dev.tributary.ops;

import static dev.tributary.ops.ElementWise.binary;
import static dev.tributary.ops.ElementWise.unary;
import static dev.tributary.ops.TypeSpecs.REAL;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.math.BinaryKernel;
import dev.tributary.internal.kernel.math.IncompleteBeta;
import dev.tributary.internal.kernel.math.IncompleteGamma;
import dev.tributary.internal.kernel.math.IntegralFunctions;
import dev.tributary.internal.kernel.math.SpecialFunctions;
import dev.tributary.internal.op.OpDeclaration;
import java.util.List;

/** Special functions of single elements, and products and quotients in which a zero wins. */
abstract sealed class SpecialMathOps extends CompareOps permits ComplexOps {
  private static final String QUOTIENTS =
      "T: {half, bfloat16, float, double, complex64, complex128}";

  SpecialMathOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        unary("Lgamma", REAL, SpecialFunctions.LGAMMA)
            .grad((tf, op, dy) -> List.of(tf.mul(dy, tf.math.digamma(op.input(0))))),
        unary("Digamma", REAL, SpecialFunctions.DIGAMMA)
            .grad(
                (tf, op, dy) -> {
                  Output x = op.input(0);
                  return List.of(tf.mul(dy, tf.math.polygamma(tf.constant(x.type(), 1), x)));
                }),
        unary("Erfc", REAL, SpecialFunctions.ERFC)
            .grad((tf, op, dy) -> List.of(tf.neg(MathGradients.erf(tf, op, dy).get(0)))),
        unary("Erfinv", REAL, SpecialFunctions.ERFINV)
            .grad((tf, op, dy) -> List.of(bell(tf, op, dy, Math.sqrt(Math.PI) / 2, 1))),
        unary("Ndtri", REAL, SpecialFunctions.NDTRI)
            .grad((tf, op, dy) -> List.of(bell(tf, op, dy, Math.sqrt(2 * Math.PI), 0.5))),
        Declaration.op("Polygamma")
            .input("a: T")
            .input("x: T")
            .output("z: T")
            .attr("T: {float, double}")
            .shape(ElementWise::broadcast)
            .kernel(BinaryKernel.of(SpecialFunctions.POLYGAMMA))
            .grad(
                (tf, op, dy) -> {
                  Output order = op.input(0);
                  Output x = op.input(1);
                  Output next = tf.add(order, tf.constant(order.type(), 1));
                  Output slope = tf.mul(dy, tf.math.polygamma(next, x));
                  return List.of(GradientValue.none(), BroadcastGradients.reduce(tf, x, slope));
                }),
        pair("Igamma", "T: {bfloat16, half, float, double}", IncompleteGamma.LOWER)
            .grad(
                (tf, op, dy) ->
                    reduced(
                        tf,
                        op,
                        tf.mul(dy, tf.math.igammaGradA(op.input(0), op.input(1))),
                        tf.mul(dy, gammaDensity(tf, op)))),
        pair("Igammac", "T: {bfloat16, half, float, double}", IncompleteGamma.UPPER)
            .grad(
                (tf, op, dy) -> {
                  Output down = tf.neg(dy);
                  Output ofA = tf.math.igammaGradA(op.input(0), op.input(1));
                  return reduced(tf, op, tf.mul(down, ofA), tf.mul(down, gammaDensity(tf, op)));
                }),
        pair("IgammaGradA", "T: {float, double}", IncompleteGamma.SLOPE).notDifferentiable(),
        Declaration.op("Betainc")
            .input("a: T")
            .input("b: T")
            .input("x: T")
            .output("z: T")
            .attr("T: {float, double}")
            .shape(
                c ->
                    c.output(
                        0,
                        IncompleteBeta.common(
                            IncompleteBeta.common(c.input(0), c.input(1)), c.input(2))))
            .kernel(node -> new IncompleteBeta())
            .grad(SpecialMathOps::betaGradient),
        Declaration.op("NextAfter")
            .input("x1: T")
            .input("x2: T")
            .output("output: T")
            .attr("T: {double, float} = float")
            .shape(ElementWise::broadcast)
            .kernel(BinaryKernel.of(SpecialFunctions.NEXT_AFTER))
            .grad((tf, op, dy) -> reduced(tf, op, dy, tf.zerosLike(dy))),
        unary("Dawsn", REAL, IntegralFunctions.DAWSN)
            .grad(
                (tf, op, dy) -> {
                  Output x = op.input(0);
                  Output twice = tf.mul(tf.constant(x.type(), 2), tf.mul(x, op.output(0)));
                  return List.of(tf.mul(dy, tf.sub(tf.constant(x.type(), 1), twice)));
                }),
        unary("Expint", REAL, IntegralFunctions.EXPINT)
            .grad((tf, op, dy) -> List.of(tf.mul(dy, tf.div(tf.exp(op.input(0)), op.input(0))))),
        unary("Spence", REAL, IntegralFunctions.SPENCE)
            .grad(
                (tf, op, dy) -> {
                  Output x = op.input(0);
                  Output one = tf.constant(x.type(), 1);
                  Output slope = tf.div(tf.log(x), tf.sub(one, x));
                  Output atOne = tf.neg(tf.onesLike(x));
                  return List.of(tf.mul(dy, tf.where(tf.equal(x, one), atOne, slope)));
                }),
        unary("FresnelSin", REAL, IntegralFunctions.FRESNEL_SIN)
            .grad((tf, op, dy) -> List.of(tf.mul(dy, tf.math.sin(fresnelAngle(tf, op))))),
        unary("FresnelCos", REAL, IntegralFunctions.FRESNEL_COS)
            .grad((tf, op, dy) -> List.of(tf.mul(dy, tf.math.cos(fresnelAngle(tf, op))))),
        Declaration.op("Zeta")
            .input("x: T")
            .input("q: T")
            .output("z: T")
            .attr("T: {float, double}")
            .shape(ElementWise::broadcast)
            .kernel(BinaryKernel.of(SpecialFunctions.ZETA))
            .grad(
                (tf, op, dy) -> {
                  Output x = op.input(0);
                  Output q = op.input(1);
                  Output next = tf.math.zeta(tf.add(x, tf.constant(x.type(), 1)), q);
                  Output slope = tf.mul(tf.neg(tf.mul(x, next)), dy);
                  return List.of(GradientValue.none(), BroadcastGradients.reduce(tf, q, slope));
                }),
        quotient("Xlogy", SpecialFunctions.XLOGY)
            .grad(
                (tf, op, dy) ->
                    reduced(
                        tf,
                        op,
                        tf.mul(dy, tf.math.xlogy(isNotZero(tf, op.input(0)), op.input(1))),
                        tf.mul(dy, tf.math.xdivy(op.input(0), op.input(1))))),
        quotient("Xlog1py", SpecialFunctions.XLOG1PY)
            .grad(
                (tf, op, dy) -> {
                  Output y = op.input(1);
                  return reduced(
                      tf,
                      op,
                      tf.mul(dy, tf.math.xlog1py(isNotZero(tf, op.input(0)), y)),
                      tf.mul(dy, tf.math.xdivy(op.input(0), tf.add(y, tf.constant(y.type(), 1)))));
                }),
        quotient("Xdivy", SpecialFunctions.XDIVY)
            .grad(
                (tf, op, dy) ->
                    reduced(
                        tf,
                        op,
                        tf.mul(dy, tf.math.xdivy(isNotZero(tf, op.input(0)), op.input(1))),
                        tf.mul(dy, tf.math.xdivy(tf.neg(op.input(0)), tf.square(op.input(1)))))),
        binary(
                "MulNoNan",
                "T: {bfloat16, half, float, double, complex64, complex128}",
                SpecialFunctions.MUL_NO_NAN)
            .grad(
                (tf, op, dy) ->
                    reduced(
                        tf,
                        op,
                        tf.math.mulNoNan(dy, op.input(1)),
                        tf.math.mulNoNan(op.input(0), dy))));
  }

  private static Declaration pair(String name, String types, BinaryLoop loop) {
    return Declaration.op(name)
        .input("a: T")
        .input("x: T")
        .output("z: T")
        .attr(types)
        .shape(ElementWise::broadcast)
        .kernel(BinaryKernel.of(loop));
  }

  /** The density of the gamma distribution: {@code exp(-x + (a - 1) * log(x) - lgamma(a))}. */
  private static Output gammaDensity(Ops tf, Operation op) {
    Output a = op.input(0);
    Output x = op.input(1);
    Output power = tf.mul(tf.sub(a, tf.constant(a.type(), 1)), tf.log(x));
    return tf.exp(tf.sub(tf.sub(power, x), tf.math.lgamma(a)));
  }

  /** Only by x, as in TensorFlow. */
  private static List<GradientValue> betaGradient(Ops tf, Operation op, Output dy) {
    Output a = op.input(0);
    Output b = op.input(1);
    Output x = op.input(2);
    Output one = tf.constant(x.type(), 1);
    Output logBeta =
        tf.sub(tf.add(tf.math.lgamma(a), tf.math.lgamma(b)), tf.math.lgamma(tf.add(a, b)));
    Output powers =
        tf.add(tf.mul(tf.sub(b, one), tf.math.log1p(tf.neg(x))), tf.mul(tf.sub(a, one), tf.log(x)));
    Output slope = tf.mul(dy, tf.exp(tf.sub(powers, logBeta)));
    return List.of(
        GradientValue.none(), GradientValue.none(), BroadcastGradients.reduce(tf, x, slope));
  }

  /** {@code pi / 2 * x^2}. */
  private static Output fresnelAngle(Ops tf, Operation op) {
    Output x = op.input(0);
    return tf.mul(tf.constant(x.type(), Math.PI / 2), tf.square(x));
  }

  private static Declaration quotient(String name, BinaryLoop loop) {
    return binary(name, QUOTIENTS, loop);
  }

  /** {@code dy * factor * exp(scale * y^2)} of an op's output y. */
  private static Output bell(Ops tf, Operation op, Output dy, double factor, double scale) {
    Output y = op.output(0);
    Output exponent = tf.mul(tf.constant(y.type(), scale), tf.square(y));
    return tf.mul(dy, tf.mul(tf.constant(y.type(), factor), tf.exp(exponent)));
  }

  private static Output isNotZero(Ops tf, Output x) {
    return tf.cast(tf.notEqual(x, tf.constant(x.type(), 0)), x.type());
  }

  private static List<Output> reduced(Ops tf, Operation op, Output ofX, Output ofY) {
    return BroadcastGradients.reduce(tf, op.input(0), ofX, op.input(1), ofY);
  }

  /** The logarithm of the absolute value of the gamma function. */
  public Output lgamma(Operand x) {
    return unaryOp("Lgamma", x);
  }

  /** The derivative of {@link #lgamma}. */
  public Output digamma(Operand x) {
    return unaryOp("Digamma", x);
  }

  /** The derivative number {@code order} of {@link #digamma}. */
  public Output polygamma(Operand order, Operand x) {
    return binaryOp("Polygamma", order, x);
  }

  /** Hurwitz' zeta function, the sum of (q + i)^-x over all i from 0 on. */
  public Output zeta(Operand x, Operand q) {
    return binaryOp("Zeta", x, q);
  }

  /** The lower regularized incomplete gamma function. */
  public Output igamma(Operand a, Operand x) {
    return binaryOp("Igamma", a, x);
  }

  /** The upper regularized incomplete gamma function, which is one less {@link #igamma}. */
  public Output igammac(Operand a, Operand x) {
    return binaryOp("Igammac", a, x);
  }

  /** The slope of {@link #igamma} by its first argument. */
  public Output igammaGradA(Operand a, Operand x) {
    return binaryOp("IgammaGradA", a, x);
  }

  /** The regularized incomplete beta function; operands have the same shape or are scalars. */
  public Output betainc(Operand a, Operand b, Operand x) {
    return scope.operation("Betainc").input(a).input(b).input(x).buildOutput();
  }

  /** The next representable number after {@code x1} in the direction of {@code x2}. */
  public Output nextAfter(Operand x1, Operand x2) {
    return binaryOp("NextAfter", x1, x2);
  }

  /** Dawson's integral. */
  public Output dawsn(Operand x) {
    return unaryOp("Dawsn", x);
  }

  /** The exponential integral. */
  public Output expint(Operand x) {
    return unaryOp("Expint", x);
  }

  /** Spence's integral, which is the dilogarithm of {@code 1 - x}. */
  public Output spence(Operand x) {
    return unaryOp("Spence", x);
  }

  public Output fresnelSin(Operand x) {
    return unaryOp("FresnelSin", x);
  }

  public Output fresnelCos(Operand x) {
    return unaryOp("FresnelCos", x);
  }

  /** One less the error function. */
  public Output erfc(Operand x) {
    return unaryOp("Erfc", x);
  }

  /** The inverse of the error function. */
  public Output erfinv(Operand x) {
    return unaryOp("Erfinv", x);
  }

  /** The quantiles of the standard normal distribution. */
  public Output ndtri(Operand x) {
    return unaryOp("Ndtri", x);
  }

  /** {@code x * log(y)}, and 0 where x is 0. */
  public Output xlogy(Operand x, Operand y) {
    return binaryOp("Xlogy", x, y);
  }

  /** {@code x * log(1 + y)}, and 0 where x is 0. */
  public Output xlog1py(Operand x, Operand y) {
    return binaryOp("Xlog1py", x, y);
  }

  /** {@code x / y}, and 0 where x is 0. */
  public Output xdivy(Operand x, Operand y) {
    return binaryOp("Xdivy", x, y);
  }

  /** {@code x * y}, and 0 where y is 0 even if x is not finite. */
  public Output mulNoNan(Operand x, Operand y) {
    return binaryOp("MulNoNan", x, y);
  }

  private Output unaryOp(String type, Operand x) {
    return scope.operation(type).input(x).buildOutput();
  }

  private Output binaryOp(String type, Operand x, Operand y) {
    return scope.operation(type).input(x).input(y).buildOutput();
  }
}
