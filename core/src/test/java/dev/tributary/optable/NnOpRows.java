package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

final class NnOpRows {
  private static final DataType[] ORDERED = {FLOAT, DOUBLE, INT32, INT64, INT16, INT8, UINT8};
  private static final float LOG_HALF = (float) Math.log(0.5);

  private NnOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>(activations());
    rows.addAll(biases());
    rows.addAll(losses());
    rows.addAll(rankings());
    return rows;
  }

  private static List<OpRow> activations() {
    return List.of(
        OpRow.of("Relu")
            .example(() -> OpCall.of(Tensor.of(-1f, 0f, 2f)), Tensor.of(0f, 0f, 2f))
            .types(ORDERED)
            .draw(NnOpRows::kinked)
            .gradientOf(0),
        OpRow.of("ReluGrad")
            .example(
                () -> OpCall.of(Tensor.of(5f, 6f, 7f), Tensor.of(-1f, 0f, 2f)),
                Tensor.of(0f, 0f, 7f))
            .types(ORDERED)
            .draw(NnOpRows::kinkedGradient)
            .gradientOf(0, 1),
        OpRow.of("Relu6")
            .example(() -> OpCall.of(Tensor.of(-1f, 2f, 7f)), Tensor.of(0f, 2f, 6f))
            .types(ORDERED)
            .draw(NnOpRows::kinked)
            .gradientOf(0),
        OpRow.of("Relu6Grad")
            .example(
                () -> OpCall.of(Tensor.of(5f, 6f, 7f), Tensor.of(-1f, 2f, 7f)),
                Tensor.of(0f, 6f, 0f))
            .types(ORDERED)
            .draw(NnOpRows::kinkedGradient)
            .gradientOf(0, 1),
        OpRow.of("LeakyRelu")
            .example(() -> OpCall.of(Tensor.of(-1f, 2f)).attr("alpha", 0.5f), Tensor.of(-0.5f, 2f))
            .types(FLOAT, DOUBLE)
            .draw(d -> kinked(d).attr("alpha", d.oneOf(0.1f, 0.3f, 1.5f)))
            .gradientOf(0),
        OpRow.of("LeakyReluGrad")
            .example(
                () -> OpCall.of(Tensor.of(3f, 4f), Tensor.of(-1f, 2f)).attr("alpha", 0.5f),
                Tensor.of(1.5f, 4f))
            .types(FLOAT, DOUBLE)
            .draw(d -> kinkedGradient(d).attr("alpha", d.oneOf(0.1f, 0.3f, 1.5f)))
            .gradientOf(0, 1),
        OpRow.of("Elu")
            .example(() -> OpCall.of(Tensor.of(LOG_HALF, 2f)), Tensor.of(-0.5f, 2f))
            .types(FLOAT, DOUBLE)
            .draw(NnOpRows::kinked)
            .gradientOf(0),
        OpRow.of("EluGrad")
            .example(() -> OpCall.of(Tensor.of(3f, 4f), Tensor.of(-0.5f, 2f)), Tensor.of(1.5f, 4f))
            .types(FLOAT, DOUBLE)
            .draw(NnOpRows::kinkedGradient)
            .gradientOf(0, 1),
        OpRow.of("Selu")
            .example(() -> OpCall.of(Tensor.of(LOG_HALF, 1f)), Tensor.of(-0.87904967f, 1.050701f))
            .types(FLOAT, DOUBLE)
            .draw(NnOpRows::kinked)
            .gradientOf(0),
        OpRow.of("SeluGrad")
            .example(
                () -> OpCall.of(Tensor.of(2f, 1f), Tensor.of(-0.75f, 1f)),
                Tensor.of(2.0161987f, 1.050701f))
            .types(FLOAT, DOUBLE)
            .draw(NnOpRows::kinkedGradient)
            .gradientOf(0, 1),
        OpRow.of("Softplus")
            .example(
                () -> OpCall.of(Tensor.of(0f, 100f, -200f)),
                Tensor.of((float) Math.log(2), 100f, 0f))
            .types(FLOAT, DOUBLE)
            .draw(NnOpRows::kinked)
            .gradientOf(0),
        OpRow.of("SoftplusGrad")
            .example(() -> OpCall.of(Tensor.of(3f, 4f), Tensor.of(0f, 100f)), Tensor.of(1.5f, 4f))
            .types(FLOAT, DOUBLE)
            .draw(NnOpRows::kinkedGradient)
            .gradientOf(0, 1),
        OpRow.of("Softsign")
            .example(() -> OpCall.of(Tensor.of(-1f, 0f, 3f)), Tensor.of(-0.5f, 0f, 0.75f))
            .types(FLOAT, DOUBLE)
            .draw(NnOpRows::kinked)
            .gradientOf(0),
        OpRow.of("SoftsignGrad")
            .example(() -> OpCall.of(Tensor.of(4f, 2f), Tensor.of(-1f, 0f)), Tensor.of(1f, 2f))
            .types(FLOAT, DOUBLE)
            .draw(NnOpRows::kinkedGradient));
  }

  private static List<OpRow> biases() {
    return List.of(
        OpRow.of("BiasAdd")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f), Tensor.of(10f, 20f)),
                Tensor.of(Shape.of(2, 2), 11f, 22f, 13f, 24f))
            .types(ORDERED)
            .types(ArrayDraws.COMPLEX)
            .draw(
                d -> {
                  boolean last = d.flip();
                  Shape shape = d.shape(2, 5);
                  Tensor bias = d.tensor(Shape.of(shape.size(last ? shape.rank() - 1 : 1)));
                  return OpCall.of(d.tensor(shape), bias)
                      .attr("data_format", last ? "NHWC" : "NCHW");
                })
            .without(Draw.Size.SCALAR, "a value has channels")
            .gradientOf(0, 1),
        OpRow.of("BiasAddV1")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f), Tensor.of(10f, 20f)),
                Tensor.of(Shape.of(2, 2), 11f, 22f, 13f, 24f))
            .types(ORDERED)
            .types(ArrayDraws.COMPLEX)
            .draw(
                d -> {
                  Shape shape = d.shape(2, 5);
                  return OpCall.of(d.tensor(shape), d.tensor(Shape.of(shape.size(-1))));
                })
            .without(Draw.Size.SCALAR, "a value has channels")
            .gradientOf(0, 1),
        OpRow.of("BiasAddGrad")
            .example(() -> OpCall.of(Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f)), Tensor.of(4f, 6f))
            .types(ORDERED)
            .types(ArrayDraws.COMPLEX)
            .draw(
                d ->
                    OpCall.of(d.tensor(d.shape(2, 5))).attr("data_format", d.oneOf("NHWC", "NCHW")))
            .without(Draw.Size.SCALAR, "a value has channels")
            .gradientOf(0));
  }

  private static List<OpRow> losses() {
    return List.of(
        OpRow.of("Softmax")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 2), 0f, (float) Math.log(3), 1000f, -1000f)),
                Tensor.of(Shape.of(2, 2), 0.25f, 0.75f, 1f, 0f))
            .types(FLOAT, DOUBLE)
            .draw(d -> OpCall.of(d.tensor(d.shape(1, 4))))
            .without(Draw.Size.SCALAR, "logits have classes")
            .gradientOf(0),
        OpRow.of("LogSoftmax")
            .example(() -> OpCall.of(Tensor.of(0f, 0f)), Tensor.of(LOG_HALF, LOG_HALF))
            .types(FLOAT, DOUBLE)
            .draw(d -> OpCall.of(d.tensor(d.shape(1, 4))))
            .without(Draw.Size.SCALAR, "logits have classes")
            .withoutStockGradient("stock's native rule sums over dimension 1, whatever the rank")
            .gradientOf(0),
        OpRow.of("SoftmaxCrossEntropyWithLogits")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 2), 0f, 0f), Tensor.of(Shape.of(1, 2), 0f, 1f)),
                Tensor.of(-LOG_HALF),
                Tensor.of(Shape.of(1, 2), 0.5f, -0.5f))
            .types(FLOAT, DOUBLE)
            .draw(NnOpRows::crossEntropy)
            .without(Draw.Size.SCALAR, "the loss has one value a row")
            .withoutStockGradient("stock's native rule takes float only, double fails to build")
            .gradientOf(0),
        OpRow.of("SparseSoftmaxCrossEntropyWithLogits")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(1, 2), 0f, 0f), Tensor.of(1)),
                Tensor.of(-LOG_HALF),
                Tensor.of(Shape.of(1, 2), 0.5f, -0.5f))
            .types(FLOAT, DOUBLE)
            .draw(NnOpRows::sparseCrossEntropy)
            .without(Draw.Size.SCALAR, "the loss has one value a row")
            .gradientOf(0),
        OpRow.of("L2Loss")
            .example(() -> OpCall.of(Tensor.of(1f, 2f, 3f)), Tensor.scalar(7f))
            .types(FLOAT, DOUBLE)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 4))))
            .gradientOf(0));
  }

  private static List<OpRow> rankings() {
    return List.of(
        OpRow.of("TopK")
            .example(
                () -> OpCall.of(Tensor.of(1f, 3f, 2f, 3f)).attr("k", 3L),
                Tensor.of(3f, 3f, 2f),
                Tensor.of(1, 3, 2))
            .types(ORDERED)
            .draw(
                d -> {
                  Shape shape = d.shape(1, 3);
                  return OpCall.of(features(d, shape))
                      .attr("k", (long) d.integer(0, (int) shape.size(-1)));
                })
            .without(Draw.Size.SCALAR, "an input has a last dimension")
            .withoutStock("stock's kernel asks for an attribute that the op does not have")
            .gradientOf(0),
        OpRow.of("TopKV2")
            .example(
                () -> OpCall.of(Tensor.of(1f, 3f, 2f, 3f)).constant(Tensor.scalar(3)),
                Tensor.of(3f, 3f, 2f),
                Tensor.of(1, 3, 2))
            .types(ORDERED)
            .draw(NnOpRows::topK)
            .without(Draw.Size.SCALAR, "an input has a last dimension")
            .gradientOf(0),
        OpRow.of("InTopK")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 3), 1f, 3f, 2f, 1f, 3f, 2f), Tensor.of(2, 0))
                        .attr("k", 2L),
                Tensor.of(true, false))
            .types(INT32, INT64)
            .draw(d -> inTopK(d).attr("k", (long) d.integer(0, 4)))
            .without(Draw.Size.SCALAR, "there is one answer a row"),
        OpRow.of("InTopKV2")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 3), 1f, 3f, 2f), Tensor.of(2))
                        .input(Tensor.scalar(2)),
                Tensor.of(true))
            .types(INT32, INT64)
            .draw(d -> inTopK(d).input(d.indices(d.type(), Shape.scalar(), 0, 5)))
            .without(Draw.Size.SCALAR, "there is one answer a row"));
  }

  private static OpCall topK(Draw d) {
    Shape shape = d.shape(1, 3);
    DataType indexType = d.oneOf(INT32, INT64);
    Tensor k = d.indices(d.oneOf(INT32, INT64), Shape.scalar(), 0, (int) shape.size(-1) + 1);
    return OpCall.of(features(d, shape)).constant(k).attr("index_type", indexType);
  }

  /** Some targets are no classes. */
  private static OpCall inTopK(Draw d) {
    Shape shape = rows(d);
    Tensor targets = d.indices(d.type(), shape.slice(0, 1), -1, (int) shape.size(1) + 1);
    return OpCall.of(d.tensor(FLOAT, shape, -2, 2), targets);
  }

  /** Features that are not too near to 0 or 6, where slopes jump. */
  private static OpCall kinked(Draw d) {
    return OpCall.of(features(d, d.shape(0, 4)));
  }

  private static OpCall kinkedGradient(Draw d) {
    Shape shape = d.shape(0, 4);
    return OpCall.of(d.tensor(shape), features(d, shape));
  }

  private static Tensor features(Draw d, Shape shape) {
    return d.type().isInteger() ? d.tensor(shape) : d.distinct(shape, 0.1);
  }

  /** Sizes of a matrix with at least one class. */
  private static Shape rows(Draw d) {
    return Shape.of(d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 5), d.integer(1, 5));
  }

  private static OpCall crossEntropy(Draw d) {
    Shape shape = rows(d);
    return OpCall.of(d.tensor(shape), probabilities(d, shape));
  }

  /** Rows that sum to 1: the gradient by the logits holds for such labels only. */
  private static Tensor probabilities(Draw d, Shape shape) {
    int classes = (int) shape.size(1);
    double[] values = new double[(int) shape.elementCount()];
    for (int row = 0; row < values.length; row += classes) {
      double rest = 1;
      for (int i = 0; i < classes - 1; i++) {
        values[row + i] = rest * d.random().nextDouble();
        rest -= values[row + i];
      }
      values[row + classes - 1] = rest;
    }
    if (d.type() == DOUBLE) {
      return Tensor.of(shape, values);
    }
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return Tensor.of(shape, floats);
  }

  private static OpCall sparseCrossEntropy(Draw d) {
    Shape shape = rows(d);
    Tensor labels = d.indices(d.oneOf(INT32, INT64), shape.slice(0, 1), 0, (int) shape.size(1));
    return OpCall.of(d.tensor(shape), labels);
  }
}
