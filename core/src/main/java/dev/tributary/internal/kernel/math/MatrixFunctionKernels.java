package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.function.UnaryOperator;

/** Functions of whole square matrices, computed in double. */
public final class MatrixFunctionKernels {
  private static final int ITERATIONS = 100;

  /** The coefficients of Padé's approximation of degree 13 to the exponential function. */
  private static final double[] PADE = {
    64764752532480000.0,
    32382376266240000.0,
    7771770303897600.0,
    1187353796428800.0,
    129060195264000.0,
    10559470521600.0,
    670442572800.0,
    33522128640.0,
    1323241920.0,
    40840800.0,
    960960.0,
    16380.0,
    182.0,
    1.0
  };

  /** The greatest norm for which that approximation is exact to the last bits. */
  private static final double PADE_LIMIT = 5.37;

  /** The distance from the identity at which the terms of a logarithm end at the last bits. */
  private static final double SERIES_LIMIT = 0.25;

  private static final int LAST_TERM = 19;

  private MatrixFunctionKernels() {}

  public static Kernel exponential(KernelNode node) {
    return of(node, MatrixFunctionKernels::exponential);
  }

  /** The matrices whose squares are the input and whose eigenvalues have positive real parts. */
  public static Kernel squareRoot(KernelNode node) {
    return of(node, MatrixFunctionKernels::squareRoot);
  }

  /** The matrices whose exponentials are the input. */
  public static Kernel logarithm(KernelNode node) {
    return of(node, MatrixFunctionKernels::logarithm);
  }

  private static Kernel of(KernelNode node, UnaryOperator<RealMatrix> function) {
    if (node.type().isComplex()) {
      return context -> runComplex(context, function);
    }
    MatrixBatch.requireSupport(node.type());
    return context -> run(context, function);
  }

  private static void run(KernelContext context, UnaryOperator<RealMatrix> function) {
    MatrixBatch input = MatrixBatch.ofSquare(context.input(0));
    MatrixBatch output = MatrixBatch.of(context.allocateOutput(0, context.input(0).shape()));
    for (long m = 0; m < input.count(); m++) {
      output.write(m, function.apply(input.read(m)));
    }
  }

  /**
   * A complex matrix A + iB is the real one (A, -B; B, A), of which a function of matrices is the
   * function's complex value in the same form.
   */
  private static void runComplex(KernelContext context, UnaryOperator<RealMatrix> function) {
    Tensor input = context.input(0);
    Shape shape = input.shape();
    if (shape.rank() < 2 || shape.size(-1) != shape.size(-2)) {
      throw TributaryException.invalidArgument("Input matrix must be square, got %s", shape);
    }
    Tensor output = context.allocateOutput(0, shape);
    int size = ArrayLength.of(shape.size(-1));
    Shape parts = shape.concatenate(Shape.of(2));
    try (Tensor from = input.bitcast(input.type().realType(), parts);
        Tensor to = output.bitcast(input.type().realType(), parts)) {
      for (long at = 0; at < from.elementCount(); at += 2L * size * size) {
        RealMatrix real = new RealMatrix(2 * size, 2 * size);
        for (int i = 0; i < size * size; i++) {
          int place = i / size * 2 * size + i % size;
          int below = place + 2 * size * size;
          real.values[place] = Reals.at(from, at + 2L * i);
          real.values[below + size] = real.values[place];
          real.values[below] = Reals.at(from, at + 2L * i + 1);
          real.values[place + size] = -real.values[below];
        }
        double[] result = function.apply(real).values;
        for (int i = 0; i < size * size; i++) {
          int place = i / size * 2 * size + i % size;
          Reals.put(to, at + 2L * i, result[place]);
          Reals.put(to, at + 2L * i + 1, result[place + 2 * size * size]);
        }
      }
    }
  }

  /** Halves the matrix until the approximation is good, and squares the result as often. */
  private static RealMatrix exponential(RealMatrix matrix) {
    double norm = matrix.norm();
    int halvings = norm > PADE_LIMIT ? Math.getExponent(norm / PADE_LIMIT) + 1 : 0;
    RealMatrix result = pade(matrix.scaled(Math.scalb(1.0, -halvings)));
    for (int i = 0; i < halvings; i++) {
      result = result.times(result);
    }
    return result;
  }

  private static RealMatrix pade(RealMatrix matrix) {
    RealMatrix square = matrix.times(matrix);
    RealMatrix even = new RealMatrix(matrix.rows, matrix.rows);
    RealMatrix odd = new RealMatrix(matrix.rows, matrix.rows);
    RealMatrix power = RealMatrix.identity(matrix.rows, matrix.rows);
    for (int i = 0; i < PADE.length; i += 2) {
      even = even.plus(PADE[i], power);
      odd = odd.plus(PADE[i + 1], power);
      power = power.times(square);
    }
    odd = matrix.times(odd);
    return new LuFactors(even.plus(-1, odd)).solve(even.plus(1, odd));
  }

  /** By the iteration of Denman and Beavers, scaled while it is far from its end. */
  private static RealMatrix squareRoot(RealMatrix matrix) {
    RealMatrix root = matrix;
    RealMatrix inverseRoot = RealMatrix.identity(matrix.rows, matrix.rows);
    double change = Double.POSITIVE_INFINITY;
    for (int i = 0; i < ITERATIONS && change > 1e-15 * root.norm(); i++) {
      LuFactors ofRoot = new LuFactors(root.copy());
      LuFactors ofInverse = new LuFactors(inverseRoot.copy());
      double scale = 1;
      if (change > 1e-2 * root.norm()) {
        double sum = ofRoot.logDeterminant() + ofInverse.logDeterminant();
        scale = Math.exp(-sum / (2 * matrix.rows));
      }
      RealMatrix next = root.scaled(scale / 2).plus(0.5 / scale, ofInverse.inverse());
      inverseRoot = inverseRoot.scaled(scale / 2).plus(0.5 / scale, ofRoot.inverse());
      change = next.plus(-1, root).norm();
      root = next;
    }
    return root;
  }

  /**
   * Takes square roots until the matrix is near the identity, where the series of the inverse
   * hyperbolic tangent ends soon, and doubles the logarithm as often.
   */
  private static RealMatrix logarithm(RealMatrix matrix) {
    RealMatrix identity = RealMatrix.identity(matrix.rows, matrix.rows);
    RealMatrix root = matrix;
    int roots = 0;
    while (root.plus(-1, identity).norm() > SERIES_LIMIT && roots < ITERATIONS) {
      root = squareRoot(root);
      roots++;
    }
    RealMatrix power = new LuFactors(root.plus(1, identity)).solve(root.plus(-1, identity));
    RealMatrix square = power.times(power);
    RealMatrix sum = power;
    for (int i = 3; i <= LAST_TERM; i += 2) {
      power = power.times(square);
      sum = sum.plus(1.0 / i, power);
    }
    return sum.scaled(Math.scalb(2.0, roots));
  }
}
