package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.loop.Complex;
import dev.tributary.internal.kernel.math.ComplexKernels;
import dev.tributary.internal.kernel.math.UnaryKernel;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import java.util.List;

/**
 * Complex numbers and the real ones that they are made of. A gradient of a complex value has the
 * slope along the real part as its real part, and that along the imaginary part as its imaginary
 * one; so the derivative of a complex function is conjugated in gradients.
 */
abstract sealed class ComplexOps extends SpecialMathOps permits TrigonometricOps {
  ComplexOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Complex")
            .input("real: T")
            .input("imag: T")
            .output("out: Tout")
            .attr("T: {float, double} = float")
            .attr("Tout: {complex64, complex128} = complex64")
            .shape(ElementWise::broadcast)
            .kernel(ComplexKernels::pair)
            .grad(
                (tf, op, dy) ->
                    BroadcastGradients.reduce(
                        tf, op.input(0), tf.math.real(dy), op.input(1), tf.math.imag(dy))),
        measure("Real", "input", "output")
            .kernel(ComplexKernels.part(0))
            .grad((tf, op, dy) -> List.of(tf.math.complex(dy, tf.zerosLike(dy)))),
        measure("Imag", "input", "output")
            .kernel(ComplexKernels.part(1))
            .grad((tf, op, dy) -> List.of(tf.math.complex(tf.zerosLike(dy), dy))),
        measure("ComplexAbs", "x", "y")
            .kernel(ComplexKernels.measure(Complex::modulus))
            .grad((tf, op, dy) -> List.of(modulusGradient(tf, op, dy))),
        measure("Angle", "input", "output")
            .kernel(ComplexKernels.measure(Complex::angle))
            .grad((tf, op, dy) -> List.of(angleGradient(tf, op, dy))),
        op("Conj")
            .input("input: T")
            .output("output: T")
            .attr("T: {complex64, complex128, variant} = complex64")
            .shape(ShapeRules::unchanged)
            .kernel(UnaryKernel.of(ComplexKernels.CONJUGATE))
            .grad((tf, op, dy) -> List.of(tf.math.conj(dy))));
  }

  /** A real number for each complex one. */
  private static Declaration measure(String name, String input, String output) {
    return op(name)
        .input(input + ": T")
        .output(output + ": Tout")
        .attr("T: {complex64, complex128} = complex64")
        .attr("Tout: {float, double} = float")
        .shape(ShapeRules::unchanged);
  }

  /** The input of a function of one number as its gradient needs it. */
  static Output conjugateX(Ops tf, Operation op) {
    return tf.math.conj(op.input(0));
  }

  /** Along the number itself; none flows to 0. */
  private static Output modulusGradient(Ops tf, Operation op, Output dy) {
    Output x = op.input(0);
    Output modulus = tf.cast(op.output(0), x.type());
    return tf.math.divNoNan(tf.mul(tf.cast(dy, x.type()), x), modulus);
  }

  /** Across the number, by less the farther it is from 0. */
  private static Output angleGradient(Ops tf, Operation op, Output dy) {
    Output x = op.input(0);
    Output swapped = tf.math.complex(tf.math.imag(x), tf.math.real(x));
    return tf.neg(tf.mul(tf.cast(dy, x.type()), tf.math.reciprocal(swapped)));
  }

  /** Complex numbers of real and imaginary parts, with broadcasting. */
  public Output complex(Operand real, Operand imag) {
    boolean wide = real.asOutput().type() == DataType.DOUBLE;
    return scope
        .operation("Complex")
        .input(real)
        .input(imag)
        .attr("Tout", wide ? DataType.COMPLEX128 : DataType.COMPLEX64)
        .buildOutput();
  }

  /** The real parts; real numbers are returned as they are. */
  public Output real(Operand x) {
    return isComplex(x) ? measure("Real", x) : x.asOutput();
  }

  /** The imaginary parts of complex numbers. */
  public Output imag(Operand x) {
    return measure("Imag", x);
  }

  /** The distances of complex numbers from 0. */
  public Output complexAbs(Operand x) {
    return measure("ComplexAbs", x);
  }

  /** The angles of complex numbers with the positive real ones, from -pi to pi. */
  public Output angle(Operand x) {
    return measure("Angle", x);
  }

  /** The numbers with negative imaginary parts; real numbers are returned as they are. */
  public Output conj(Operand x) {
    return isComplex(x) ? scope.operation("Conj").input(x).buildOutput() : x.asOutput();
  }

  private Output measure(String op, Operand x) {
    boolean wide = x.asOutput().type() == DataType.COMPLEX128;
    return scope
        .operation(op)
        .input(x)
        .attr("Tout", wide ? DataType.DOUBLE : DataType.FLOAT)
        .buildOutput();
  }

  private static boolean isComplex(Operand x) {
    return x.asOutput().type().isComplex();
  }
}
