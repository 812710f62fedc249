package dev.tributary.optable;

import static dev.tributary.tensor.DataType.FLOAT;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Images are NHWC: stock's CPU kernels know no other format. */
final class NormOpRows {
  private static final String SECOND =
      "saved statistics do not change with x here: BatchNormSecondGradientTest";

  private static final String NO_BATCH = "stock leaves what it saves of an empty batch undefined";

  private NormOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    rows.add(batchNorm("FusedBatchNorm"));
    rows.add(batchNorm("FusedBatchNormV2"));
    rows.add(
        row("FusedBatchNormV3")
            .example(
                () -> training(1, 3),
                image(-1, 1),
                Tensor.of(2f),
                Tensor.of(2f),
                Tensor.of(2f),
                Tensor.of(1f),
                Tensor.scalar(0f))
            .draw(NormOpRows::batchNorm)
            .script(d -> inference(d, "FusedBatchNormV3"))
            .without(Draw.Size.EMPTY, NO_BATCH)
            .gradientOf(0, 1, 2)
            .gradientFrom(0));
    rows.add(batchNormGrad("FusedBatchNormGrad"));
    rows.add(batchNormGrad("FusedBatchNormGradV2"));
    rows.add(
        row("FusedBatchNormGradV3")
            .example(() -> trainingGradient().input(Tensor.scalar(0f)), gradientOutputs())
            .draw(d -> batchNormGrad(d).input(Tensor.scalar(0f)))
            .withoutGradientCheck(SECOND));
    rows.add(
        row("LRN")
            .example(
                () -> responseNorm(OpCall.of(Tensor.of(Shape.of(1, 1, 1, 2), 1f, 2f))),
                Tensor.of(Shape.of(1, 1, 1, 2), 1f / 6, 2f / 6))
            .draw(d -> responseNorm(OpCall.of(d.tensor(imageShape(d))), d))
            .withoutStockGradient("stock's native rule leaves out all attributes")
            .gradientOf(0));
    rows.add(
        row("LRNGrad")
            .example(() -> responseNorm(OpCall.of(pixel(1), pixel(2), pixel(0.4f))), pixel(-0.12f))
            .draw(NormOpRows::responseNormGrad));
    return rows;
  }

  private static OpRow row(String op) {
    return OpRow.of(op).types(FLOAT).without(Draw.Size.SCALAR, "images have rank 4");
  }

  private static OpRow batchNorm(String op) {
    return row(op)
        .example(
            () -> training(1, 3),
            image(-1, 1),
            Tensor.of(2f),
            Tensor.of(2f),
            Tensor.of(2f),
            Tensor.of(1f))
        .draw(NormOpRows::batchNorm)
        .script(d -> inference(d, op))
        .without(Draw.Size.EMPTY, NO_BATCH)
        .gradientOf(0, 1, 2)
        .gradientFrom(0);
  }

  private static OpRow batchNormGrad(String op) {
    return row(op)
        .example(NormOpRows::trainingGradient, gradientOutputs())
        .draw(NormOpRows::batchNormGrad)
        .withoutGradientCheck(SECOND);
  }

  /** Two pixels of one channel. */
  private static Tensor image(float... pixels) {
    return Tensor.of(Shape.of(1, 2, 1, 1), pixels);
  }

  private static Tensor pixel(float value) {
    return Tensor.of(Shape.of(1, 1, 1, 1), value);
  }

  private static OpCall training(float... pixels) {
    Tensor none = Tensor.of(new float[0]);
    return OpCall.of(image(pixels), Tensor.of(1f), Tensor.of(0f), none, none.retain())
        .attr("epsilon", 0f);
  }

  /**
   * With variance 1 and without epsilon, the normalised pixels are -1 and 1; of the gradient 1, 3
   * nothing is left.
   */
  private static OpCall trainingGradient() {
    return OpCall.of(image(1, 3), image(1, 3), Tensor.of(1f), Tensor.of(2f), Tensor.of(1f))
        .attr("epsilon", 0f);
  }

  private static Tensor[] gradientOutputs() {
    return new Tensor[] {
      image(0, 0), Tensor.of(2f), Tensor.of(4f), Tensor.of(new float[0]), Tensor.of(new float[0])
    };
  }

  private static Shape imageShape(Draw d) {
    int batch = d.size() == Draw.Size.EMPTY ? 0 : d.integer(2, 3);
    return Shape.of(batch, d.integer(2, 4), d.integer(1, 4), d.integer(1, 5));
  }

  private static OpCall batchNorm(Draw d) {
    Shape shape = imageShape(d);
    Shape vector = shape.slice(3, 4);
    return OpCall.of(
            d.tensor(shape),
            d.tensor(FLOAT, vector, -2, 2),
            d.tensor(FLOAT, vector, -2, 2),
            d.tensor(FLOAT, vector, -2, 2),
            d.tensor(FLOAT, vector, 0.5, 2))
        .attr("exponential_avg_factor", d.oneOf(1f, 0.3f))
        .attr("epsilon", d.oneOf(0.001f, 0.1f));
  }

  /** Only of these outputs: stock leaves the others undefined when it does not train. */
  private static Script inference(Draw d, String op) {
    Ops tf = Ops.create();
    Shape shape = imageShape(d);
    Shape vector = shape.slice(3, 4);
    List<Tensor> values =
        List.of(
            d.tensor(shape),
            d.tensor(FLOAT, vector, -2, 2),
            d.tensor(FLOAT, vector, -2, 2),
            d.tensor(FLOAT, vector, -2, 2),
            d.tensor(FLOAT, vector, 0.5, 2));
    OperationBuilder builder = tf.scope().operation(op).attr("is_training", false);
    Map<Output, Tensor> feeds = new LinkedHashMap<>();
    for (Tensor value : values) {
      Output input = tf.placeholder(FLOAT, value.shape());
      builder.input(input);
      feeds.put(input, value);
    }
    Operation operation = builder.build();
    List<Output> fetches = List.of(operation.output(0), operation.output(1), operation.output(2));
    return Script.on(tf).step(feeds, fetches, List.of(), List.of());
  }

  private static OpCall batchNormGrad(Draw d) {
    Shape shape = imageShape(d);
    Shape vector = shape.slice(3, 4);
    return OpCall.of(
            d.tensor(shape),
            d.tensor(shape),
            d.tensor(FLOAT, vector, -2, 2),
            d.tensor(FLOAT, vector, -2, 2),
            d.tensor(FLOAT, vector, 0.5, 2))
        .attr("is_training", d.flip())
        .attr("epsilon", d.oneOf(0.001f, 0.1f));
  }

  private static OpCall responseNorm(OpCall call) {
    return call.attr("depth_radius", 1L).attr("bias", 1f).attr("alpha", 1f).attr("beta", 1f);
  }

  private static OpCall responseNorm(OpCall call, Draw d) {
    return call.attr("depth_radius", (long) d.integer(0, 3))
        .attr("bias", d.oneOf(1f, 2f))
        .attr("alpha", d.oneOf(0.1f, 1f))
        .attr("beta", d.oneOf(0.5f, 0.75f));
  }

  private static OpCall responseNormGrad(Draw d) {
    Shape shape = imageShape(d);
    return responseNorm(OpCall.of(d.tensor(shape), d.tensor(shape), d.tensor(shape)), d);
  }
}
