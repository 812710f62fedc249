package dev.tributary.ops;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * The gradients of {@link FactorOps}. Those of vectors are only right where the values that they
 * belong to are all different.
 */
final class FactorGradients {
  /** Keeps reciprocals finite where two values are the same. */
  private static final double BROADENING = 1e-20;

  private FactorGradients() {}

  static List<Output> lu(Ops tf, Operation op, Output dy) {
    Output triangles = op.output(0);
    Output ones = tf.onesLike(tf.linalg.diagPart(triangles));
    Output lower = tf.linalg.setDiag(part(tf, triangles, true), ones);
    Output upper = part(tf, triangles, false);
    Output ofLower = tf.linalg.batchMatMul(lower, part(tf, dy, true), true, false);
    Output ofUpper = tf.linalg.batchMatMul(part(tf, dy, false), upper, false, true);
    Output below = tf.linalg.setDiag(part(tf, ofLower, true), tf.zerosLike(ones));
    Output middle = tf.add(below, part(tf, ofUpper, false));
    // L^-T * middle * U^-T, where the right factor is applied to the transposed product.
    Output left = tf.linalg.triangularSolve(lower, middle, true, true);
    Output both = tf.linalg.triangularSolve(upper, turned(tf, left), false, false);
    Output order = op.output(1);
    Output exchange = tf.cast(tf.equal(tf.expandDims(order, -1), places(tf, order)), both.type());
    return List.of(tf.linalg.batchMatMul(exchange, turned(tf, both), true, false));
  }

  /** The numbers 0, 1, ... as many as the last dimension has, in the type of the given order. */
  private static Output places(Ops tf, Output order) {
    Output size = tf.array.at(tf.shape(order), -1);
    return tf.cast(tf.range(tf.constant(0), size, tf.constant(1)), order.type());
  }

  static List<Output> qr(Ops tf, Operation op, List<Output> dy) {
    Output q = op.output(0);
    Output r = op.output(1);
    Shape shape = op.input(0).shape();
    int rows = knownSize(op, shape, -2);
    int columns = knownSize(op, shape, -1);
    if (rows >= columns) {
      if (rows > columns && op.attributes().bool("full_matrices")) {
        throw TributaryException.unimplemented(
            "%s: no gradient of Qr with full_matrices for more rows than columns, got %s",
            op.name(), shape);
      }
      return List.of(deepQr(tf, q, r, dy.get(0), dy.get(1)));
    }
    List<Output> inputs = tf.array.splitV(op.input(0), -1, rows, columns - rows);
    List<Output> triangles = tf.array.splitV(r, -1, rows, columns - rows);
    List<Output> slopes = tf.array.splitV(dy.get(1), -1, rows, columns - rows);
    Output ofRest = tf.linalg.batchMatMul(q, slopes.get(1));
    Output more = tf.linalg.batchMatMul(inputs.get(1), slopes.get(1), false, true);
    Output ofSquare = deepQr(tf, q, triangles.get(0), tf.add(dy.get(0), more), slopes.get(0));
    return List.of(tf.concat(-1, ofSquare, ofRest));
  }

  /** For at least as many rows as columns. */
  private static Output deepQr(Ops tf, Output q, Output r, Output dq, Output dr) {
    Output ofQ = tf.linalg.batchMatMul(q, dq, true, false);
    Output ofR = tf.linalg.batchMatMul(r, dr, false, true);
    Output both = tf.add(tf.sub(ofQ, turned(tf, ofQ)), tf.sub(ofR, turned(tf, ofR)));
    Output inside = tf.add(dr, divideByTurned(tf, part(tf, both, true), r));
    Output outside = divideByTurned(tf, tf.sub(dq, tf.linalg.batchMatMul(q, ofQ)), r);
    return tf.add(tf.linalg.batchMatMul(q, inside), outside);
  }

  /** {@code x * r^-T} for an upper triangle r. */
  private static Output divideByTurned(Ops tf, Output x, Output r) {
    return turned(tf, tf.linalg.triangularSolve(r, turned(tf, x), false, false));
  }

  /** Only the lower triangle is read, so only it gets a gradient. */
  static List<Output> eigenvalues(Ops tf, Operation op, List<Output> dy) {
    boolean vectors = op.attributes().bool("compute_v");
    Output v = vectors ? op.output(1) : tf.linalg.selfAdjointEig(op.input(0)).get(1);
    Output middle = tf.linalg.diag(dy.get(0));
    if (vectors) {
      Output turnedSlope = tf.linalg.batchMatMul(v, dy.get(1), true, false);
      middle = tf.add(middle, tf.mul(inverseDifferences(tf, op.output(0)), turnedSlope));
    }
    Output whole = tf.linalg.batchMatMul(v, tf.linalg.batchMatMul(middle, v, false, true));
    Output lower = part(tf, tf.add(whole, turned(tf, whole)), true);
    Output half = tf.mul(tf.constant(lower.type(), 0.5), tf.linalg.diagPart(lower));
    return List.of(tf.linalg.setDiag(lower, half));
  }

  /** By M. Giles, "An extended collection of matrix derivative results" (2008), section 3.1. */
  static List<Output> complexEigenvalues(Ops tf, Operation op, List<Output> dy) {
    Output input = op.input(0);
    boolean vectors = op.attributes().bool("compute_v");
    Output v = vectors ? op.output(1) : tf.linalg.eig(input).get(1);
    Output adjoint = tf.math.conj(turned(tf, v));
    Output middle = tf.linalg.diag(dy.get(0));
    if (vectors) {
      Output e = op.output(0);
      Output slope = tf.linalg.batchMatMul(adjoint, dy.get(1), false, false);
      // Vectors keep their length, so what would change it is taken away.
      Output real = tf.cast(tf.math.real(tf.linalg.diagPart(slope)), slope.type());
      Output products = tf.linalg.batchMatMul(adjoint, v, false, false);
      Output turning = tf.sub(slope, tf.linalg.batchMatMul(products, tf.linalg.diag(real)));
      Output gaps = tf.sub(tf.expandDims(e, -2), tf.expandDims(e, -1));
      Output inverse = tf.math.divNoNan(tf.onesLike(gaps), gaps);
      middle = tf.add(middle, tf.mul(tf.math.conj(inverse), turning));
    }
    Output gradient = solveComplex(tf, adjoint, tf.linalg.batchMatMul(middle, adjoint));
    return List.of(
        input.type().isComplex() ? gradient : tf.cast(tf.math.real(gradient), input.type()));
  }

  /** Solves complex equations as real ones of twice as many unknowns. */
  private static Output solveComplex(Ops tf, Output a, Output b) {
    Output re = tf.math.real(a);
    Output im = tf.math.imag(a);
    Output matrix = tf.concat(-2, tf.concat(-1, re, tf.neg(im)), tf.concat(-1, im, re));
    Output right = tf.concat(-2, tf.math.real(b), tf.math.imag(b));
    List<Output> parts = tf.split(tf.linalg.solve(matrix, right, false), 2, -2);
    return tf.math.complex(parts.get(0), parts.get(1));
  }

  static List<Output> singularValues(Ops tf, Operation op, List<Output> dy) {
    Output slopes = tf.linalg.diag(dy.get(0));
    if (!op.attributes().bool("compute_uv")) {
      List<Output> vectors = tf.linalg.svd(op.input(0), false);
      Output left = tf.linalg.batchMatMul(vectors.get(1), slopes);
      return List.of(tf.linalg.batchMatMul(left, vectors.get(2), false, true));
    }
    Shape shape = op.input(0).shape();
    int rows = knownSize(op, shape, -2);
    int columns = knownSize(op, shape, -1);
    boolean full = op.attributes().bool("full_matrices");
    if (full && Math.abs(rows - columns) > 1) {
      throw TributaryException.unimplemented(
          "%s: no gradient of Svd with full_matrices for sizes that differ by more than 1, got %s",
          op.name(), shape);
    }
    Output s = op.output(0);
    if (rows <= columns) {
      return List.of(
          wideSvd(tf, s, op.output(1), op.output(2), slopes, dy.get(1), dy.get(2), rows, columns));
    }
    Output gradient =
        wideSvd(tf, s, op.output(2), op.output(1), slopes, dy.get(2), dy.get(1), columns, rows);
    return List.of(turned(tf, gradient));
  }

  /** For at most as many rows as columns. */
  private static Output wideSvd(
      Ops tf,
      Output s,
      Output u,
      Output v,
      Output slopes,
      Output du,
      Output dv,
      int rows,
      int columns) {
    boolean full = v.shape().size(-1) > rows;
    List<Output> vs = full ? tf.array.splitV(v, -1, rows, columns - rows) : List.of(v);
    List<Output> dvs = full ? tf.array.splitV(dv, -1, rows, columns - rows) : List.of(dv);
    Output first = vs.get(0);
    Output diagonal = tf.linalg.diag(s);
    Output differences = inverseDifferences(tf, tf.square(s));
    Output ofU = tf.mul(differences, tf.linalg.batchMatMul(u, du, true, false));
    Output ofV = tf.mul(differences, tf.linalg.batchMatMul(first, dvs.get(0), true, false));
    Output left = tf.linalg.batchMatMul(tf.add(ofU, turned(tf, ofU)), diagonal);
    Output right = tf.linalg.batchMatMul(diagonal, tf.add(ofV, turned(tf, ofV)));
    Output middle = tf.add(slopes, tf.add(left, right));
    Output gradient = tf.linalg.batchMatMul(u, tf.linalg.batchMatMul(middle, first, false, true));
    if (rows == columns) {
      return gradient;
    }
    Output slope = turned(tf, dvs.get(0));
    Output inside = tf.linalg.batchMatMul(slope, first);
    Output rest = tf.sub(slope, tf.linalg.batchMatMul(inside, first, false, true));
    if (full) {
      Output shared = tf.linalg.batchMatMul(first, dvs.get(1), true, false);
      rest = tf.sub(rest, tf.linalg.batchMatMul(shared, vs.get(1), false, true));
    }
    Output inverse = tf.linalg.diag(reciprocal(tf, s));
    return tf.add(gradient, tf.linalg.batchMatMul(tf.linalg.batchMatMul(u, inverse), rest));
  }

  /** A matrix of {@code 1 / (x[j] - x[i])}, with zeros on its diagonal. */
  private static Output inverseDifferences(Ops tf, Output x) {
    Output differences = tf.sub(tf.expandDims(x, -2), tf.expandDims(x, -1));
    return tf.linalg.setDiag(reciprocal(tf, differences), tf.zerosLike(x));
  }

  private static Output reciprocal(Ops tf, Output x) {
    return tf.div(x, tf.add(tf.square(x), tf.constant(x.type(), BROADENING)));
  }

  /** The lower or the upper triangle, with the diagonal. */
  private static Output part(Ops tf, Output matrices, boolean lower) {
    Output none = tf.constant(0L);
    Output all = tf.constant(-1L);
    return tf.linalg.bandPart(matrices, lower ? all : none, lower ? none : all);
  }

  /** The sizes of the dimensions before those of the matrices. */
  static Output batchShape(Ops tf, Output matrices) {
    Output shape = tf.shape(matrices);
    Output count = tf.sub(tf.shape(shape), tf.constant(2));
    return tf.array.slice(shape, tf.constant(new int[] {0}), count);
  }

  static Output turned(Ops tf, Output matrices) {
    return tf.linalg.einsum("...ij->...ji", matrices);
  }

  private static int knownSize(Operation op, Shape shape, int dimension) {
    long size = shape.hasRank() ? shape.size(dimension) : Shape.UNKNOWN;
    if (size == Shape.UNKNOWN) {
      throw TributaryException.unimplemented(
          "%s: the gradient of %s needs the sizes of the matrices, but the input's shape is %s",
          op.name(), op.type(), shape);
    }
    return Math.toIntExact(size);
  }
}
