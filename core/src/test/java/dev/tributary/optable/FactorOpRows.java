package dev.tributary.optable;

import static dev.tributary.tensor.DataType.COMPLEX128;
import static dev.tributary.tensor.DataType.COMPLEX64;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.List;

/**
 * Matrices taken apart. The signs of eigenvectors and singular vectors are not unique, nor are
 * vectors that belong to no singular value, so draws ask for values alone, and scripts compare the
 * absolute values of vectors and the products that give the input again.
 */
final class FactorOpRows {
  private static final String MATRICES = "matrices have two dimensions";

  private FactorOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("Lu")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 4f, 4f)),
                Tensor.of(Shape.of(2, 2), 4f, 4f, 0.25f, 1f),
                Tensor.of(1, 0))
            .draw(
                d ->
                    OpCall.of(d.tensor(DecompositionOpRows.matrices(d)))
                        .attr("output_idx_type", d.oneOf(INT32, INT64)))
            .gradientOf(0),
        row("Qr")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 1), 3f, 4f)),
                Tensor.of(Shape.of(2, 1), -0.6f, -0.8f),
                Tensor.of(Shape.of(1, 1), -5f))
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 1), 3f, 4f)).attr("full_matrices", true),
                Tensor.of(Shape.of(2, 2), -0.6f, -0.8f, -0.8f, 0.6f),
                Tensor.of(Shape.of(2, 1), -5f, 0f))
            .draw(
                d -> {
                  Shape shape = rectangles(d);
                  boolean wide = shape.size(-2) <= shape.size(-1);
                  return OpCall.of(d.tensor(shape)).attr("full_matrices", wide && d.flip());
                })
            .gradientOf(0),
        row("SelfAdjointEigV2")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 2), 2f, 9f, 1f, 2f)).attr("compute_v", false),
                Tensor.of(1f, 3f),
                Tensor.of(new float[0]))
            .draw(d -> OpCall.of(symmetric(d)).attr("compute_v", false))
            .gradientOf(0)
            .gradientFrom(0)
            .script(FactorOpRows::eigenvectors),
        row("Eig")
            .types(COMPLEX64, COMPLEX128)
            .withoutGradientCheck("see EigTest")
            .script(FactorOpRows::eigen),
        row("SelfAdjointEig")
            .withoutStock("stock takes it only in graphs of 2016 and earlier")
            .script(
                d -> {
                  Ops tf = Ops.create();
                  Output x = Constants.taking(tf, symmetric(d));
                  Output rows = tf.scope().operation("SelfAdjointEig").input(x).buildOutput();
                  return Script.on(tf).fetch(tf.abs(rows));
                }),
        row("Svd")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 3), 0f, 2f, 0f, -3f, 0f, 0f))
                        .attr("compute_uv", false),
                Tensor.of(3f, 2f),
                Tensor.of(new float[0]),
                Tensor.of(new float[0]))
            .draw(d -> OpCall.of(d.tensor(rectangles(d))).attr("compute_uv", false))
            .gradientOf(0)
            .gradientFrom(0)
            .script(FactorOpRows::singularVectors));
  }

  private static OpRow row(String op) {
    return OpRow.of(op).types(FLOAT, DOUBLE).tolerance(1e-3).without(Draw.Size.SCALAR, MATRICES);
  }

  private static Shape rectangles(Draw d) {
    Shape shape = DecompositionOpRows.matrices(d);
    return shape.withSize(shape.rank() - 1, d.integer(1, 4));
  }

  private static Tensor symmetric(Draw d) {
    return DecompositionOpRows.symmetric(d, DecompositionOpRows.matrices(d));
  }

  private static Script eigenvectors(Draw d) {
    Ops tf = Ops.create();
    Output x = Constants.taking(tf, symmetric(d));
    List<Output> found = tf.linalg.selfAdjointEig(x);
    Output vectors = found.get(1);
    Output scaled = tf.linalg.batchMatMul(vectors, tf.linalg.diag(found.get(0)));
    return Script.on(tf)
        .fetch(found.get(0), tf.abs(vectors), tf.linalg.batchMatMul(scaled, vectors, false, true));
  }

  /** Sums over all eigenvalues, which do not depend on their order, and what vectors must obey. */
  private static Script eigen(Draw d) {
    Ops tf = Ops.create();
    Output x = Constants.taking(tf, d.tensor(DecompositionOpRows.matrices(d)));
    List<Output> found = tf.linalg.eig(x);
    Output e = found.get(0);
    Output v = found.get(1);
    Output same = tf.cast(x, v.type());
    Output left = tf.linalg.batchMatMul(same, v);
    Output right = tf.linalg.batchMatMul(v, tf.linalg.diag(e));
    Output lengths = tf.sum(tf.square(tf.math.complexAbs(v)), -2);
    Output values = tf.linalg.eigenvalues(x);
    return Script.on(tf)
        .fetch(tf.sum(e, -1), tf.sum(tf.square(e), -1))
        .fetch(tf.math.complexAbs(tf.sub(left, right)), lengths)
        .fetch(tf.sum(tf.square(values), -1));
  }

  private static Script singularVectors(Draw d) {
    Ops tf = Ops.create();
    Output x = Constants.taking(tf, d.tensor(rectangles(d)));
    List<Output> found = tf.linalg.svd(x, false);
    Output u = found.get(1);
    Output v = found.get(2);
    Output scaled = tf.linalg.batchMatMul(u, tf.linalg.diag(found.get(0)));
    List<Output> full = tf.linalg.svd(x, true);
    return Script.on(tf)
        .fetch(found.get(0), tf.abs(u), tf.abs(v), tf.linalg.batchMatMul(scaled, v, false, true))
        .fetch(
            full.get(0),
            tf.linalg.batchMatMul(full.get(1), full.get(1), true, false),
            tf.linalg.batchMatMul(full.get(2), full.get(2), true, false));
  }
}
