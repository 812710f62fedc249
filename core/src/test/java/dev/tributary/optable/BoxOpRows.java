package dev.tributary.optable;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.List;

/** Boxes in images: the choice among them, drawing them, and random ones. */
final class BoxOpRows {
  private BoxOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        suppression("NonMaxSuppression").types(FLOAT).draw(d -> suppression(d, false)),
        OpRow.of("NonMaxSuppressionV2")
            .example(() -> boxes().input(Tensor.scalar(0.4f)), Tensor.of(2, 0))
            .types(FLOAT, HALF)
            .draw(d -> suppression(d, false).input(threshold(d, 0, 1)))
            .shapeDependsOnValues(),
        OpRow.of("NonMaxSuppressionV3")
            .example(
                () -> boxes().input(Tensor.scalar(0.4f)).input(Tensor.scalar(0.6f)), Tensor.of(2))
            .types(FLOAT, HALF)
            .draw(BoxOpRows::suppressionV3)
            .shapeDependsOnValues(),
        OpRow.of("NonMaxSuppressionV4")
            .example(
                () ->
                    boxes()
                        .input(Tensor.scalar(0.4f))
                        .input(Tensor.scalar(0.6f))
                        .attr("pad_to_max_output_size", true),
                Tensor.of(2, 0, 0),
                Tensor.scalar(1))
            .types(FLOAT, HALF)
            .draw(d -> suppressionV3(d).attr("pad_to_max_output_size", d.flip()))
            .shapeDependsOnValues(),
        OpRow.of("NonMaxSuppressionV5")
            .example(
                () ->
                    boxes()
                        .input(Tensor.scalar(0.4f))
                        .input(Tensor.scalar(0.1f))
                        .input(Tensor.scalar(0f)),
                Tensor.of(2, 0),
                Tensor.of(0.7f, 0.5f),
                Tensor.scalar(2))
            .types(FLOAT, HALF)
            .draw(BoxOpRows::suppressionV5)
            .shapeDependsOnValues(),
        OpRow.of("NonMaxSuppressionWithOverlaps")
            .example(
                () ->
                    OpCall.of(
                        Tensor.of(Shape.of(3, 3), 1f, 0.6f, 0f, 0.6f, 1f, 0f, 0f, 0f, 1f),
                        Tensor.of(0.5f, 0.4f, 0.7f),
                        Tensor.scalar(3),
                        Tensor.scalar(0.5f),
                        Tensor.scalar(0f)),
                Tensor.of(2, 0))
            .types(FLOAT)
            .draw(
                d -> {
                  int count = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 30);
                  return OpCall.of(
                          d.tensor(FLOAT, Shape.of(count, count), 0, 1),
                          d.tensor(FLOAT, Shape.of(count), 0, 1))
                      .constant(Tensor.scalar(d.integer(0, 30)))
                      .input(threshold(d, 0, 1))
                      .input(threshold(d, 0, 0.3));
                })
            .shapeDependsOnValues(),
        OpRow.of("CombinedNonMaxSuppression")
            .example(
                () ->
                    OpCall.of(
                            Tensor.of(Shape.of(1, 2, 1, 4), 0f, 0f, 1f, 1f, 0f, 0f, 1f, 1.8f),
                            Tensor.of(Shape.of(1, 2, 2), 0.5f, 0.9f, 0.4f, 0.1f))
                        .constant(Tensor.scalar(2))
                        .constant(Tensor.scalar(3))
                        .input(Tensor.scalar(0.4f))
                        .input(Tensor.scalar(0.2f)),
                Tensor.of(Shape.of(1, 3, 4), 0f, 0f, 1f, 1f, 0f, 0f, 1f, 1f, 0f, 0f, 0f, 0f),
                Tensor.of(Shape.of(1, 3), 0.9f, 0.5f, 0f),
                Tensor.of(Shape.of(1, 3), 1f, 0f, 0f),
                Tensor.of(2))
            .types(FLOAT)
            .draw(BoxOpRows::combined),
        OpRow.of("DrawBoundingBoxes")
            .example(
                () ->
                    OpCall.of(
                        Tensor.zeros(FLOAT, Shape.of(1, 3, 3, 1)),
                        Tensor.of(Shape.of(1, 1, 4), 0f, 0f, 1f, 1f)),
                Tensor.of(Shape.of(1, 3, 3, 1), 1f, 1f, 1f, 1f, 0f, 1f, 1f, 1f, 1f))
            .types(FLOAT, HALF)
            .without(Draw.Size.SCALAR, "images have four dimensions")
            .draw(d -> drawn(d, d.oneOf(1, 3, 4))),
        OpRow.of("DrawBoundingBoxesV2")
            .example(
                () ->
                    OpCall.of(
                        Tensor.zeros(FLOAT, Shape.of(1, 1, 3, 1)),
                        Tensor.of(Shape.of(1, 2, 4), 0f, 0f, 1f, 0f, 0f, 1f, 1f, 1f),
                        Tensor.of(Shape.of(2, 1), 7f, 9f)),
                Tensor.of(Shape.of(1, 1, 3, 1), 7f, 0f, 9f))
            .types(FLOAT, HALF)
            .without(Draw.Size.SCALAR, "images have four dimensions")
            .draw(
                d -> {
                  int channels = d.oneOf(1, 3, 4);
                  Shape colors = Shape.of(d.integer(0, 3), channels + d.integer(0, 2));
                  return drawn(d, channels).input(d.tensor(FLOAT, colors, 0, 1));
                }),
        sampled("SampleDistortedBoundingBox")
            .without(Draw.Size.SCALAR, "all inputs are vectors or boxes")
            .draw(
                d ->
                    sampled(d, seeded(d, sampledInputs(d)))
                        .attr("min_object_covered", (float) d.random().nextDouble())),
        sampled("SampleDistortedBoundingBoxV2", Tensor.scalar(0.1f))
            .draw(d -> sampled(d, seeded(d, sampledInputs(d).input(threshold(d, 0, 1.1)))))
            .script(BoxOpRows::sampledThrice),
        sampled("StatelessSampleDistortedBoundingBox", Tensor.scalar(0.1f), Tensor.of(1, 2))
            .draw(
                d ->
                    sampled(
                        d,
                        sampledInputs(d)
                            .input(threshold(d, 0, 1.1))
                            .input(Tensor.of(d.random().nextInt(), d.random().nextInt())))));
  }

  private static OpRow suppression(String op) {
    return OpRow.of(op).example(BoxOpRows::boxes, Tensor.of(2, 0)).shapeDependsOnValues();
  }

  /** Three boxes, of which the first two overlap by half, with a limit of three. */
  private static OpCall boxes() {
    return OpCall.of(
        Tensor.of(Shape.of(3, 4), 0f, 0f, 1f, 1f, 0f, 0f, 1f, 1.8f, 2f, 2f, 1f, 1f),
        Tensor.of(0.5f, 0.4f, 0.7f),
        Tensor.scalar(3));
  }

  private static OpCall suppression(Draw d, boolean limited) {
    int count = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 30);
    return OpCall.of(
            d.tensor(d.type(), Shape.of(count, 4), 0, 1), d.tensor(d.type(), Shape.of(count), 0, 1))
        .constant(Tensor.scalar(d.integer(0, limited ? 5 : 30)));
  }

  private static OpCall suppressionV3(Draw d) {
    return suppression(d, d.flip()).input(threshold(d, 0, 1)).input(threshold(d, 0, 0.3));
  }

  private static OpCall suppressionV5(Draw d) {
    return suppression(d, d.flip())
        .input(d.tensor(d.type(), Shape.scalar(), 0, 1))
        .input(d.tensor(d.type(), Shape.scalar(), 0, 0.3))
        .input(d.tensor(d.type(), Shape.scalar(), 0, d.flip() ? 0.5 : 1e-9))
        .attr("pad_to_max_output_size", d.flip());
  }

  /** A scalar of the call's type, or a float if that is not a floating one. */
  private static Tensor threshold(Draw d, double low, double high) {
    return d.tensor(d.type().isFloating() ? d.type() : FLOAT, Shape.scalar(), low, high);
  }

  private static OpCall combined(Draw d) {
    int batch = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 2);
    int count = d.integer(1, 12);
    int classes = d.integer(1, 3);
    Shape boxes = Shape.of(batch, count, d.flip() ? 1 : classes, 4);
    return OpCall.of(
            d.tensor(FLOAT, boxes, -0.2, 1.2),
            d.tensor(FLOAT, Shape.of(batch, count, classes), 0, 1))
        .constant(Tensor.scalar(d.integer(1, 8)))
        .constant(Tensor.scalar(d.integer(1, 12)))
        .input(threshold(d, 0, 1))
        .input(threshold(d, 0, 0.5))
        .attr("pad_per_class", d.flip())
        .attr("clip_boxes", d.flip());
  }

  private static OpCall drawn(Draw d, int channels) {
    int batch = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 2);
    return OpCall.of(
        d.tensor(Shape.of(batch, d.integer(1, 9), d.integer(1, 9), channels)),
        d.tensor(FLOAT, Shape.of(batch, d.integer(0, 12), 4), -0.4, 1.4));
  }

  /** Without enough attempts, the part is the whole image. */
  private static OpRow sampled(String op, Tensor... more) {
    return OpRow.of(op)
        .example(
            () -> {
              OpCall call =
                  OpCall.of(Tensor.of(8, 4, 3), Tensor.of(Shape.of(1, 1, 4), 0f, 0f, 0f, 0f));
              for (Tensor input : more) {
                call.input(input.retain());
              }
              return call.attr("max_attempts", 1);
            },
            Tensor.of(0, 0, 0),
            Tensor.of(8, 4, -1),
            Tensor.of(Shape.of(1, 1, 4), 0f, 0f, 1f, 1f))
        .types(INT32, INT64, INT16, INT8, UINT8)
        .tolerance(0);
  }

  /** Each run goes on where the one before it has left the stream. */
  private static Script sampledThrice(Draw d) {
    Ops tf = Ops.create();
    Operation sample =
        tf.scope()
            .operation("SampleDistortedBoundingBoxV2")
            .input(Constants.taking(tf, d.indices(d.type(), Shape.of(3), 50, 120)))
            .input(tf.constant(Shape.of(1, 1, 4), 0f, 0f, 1f, 1f))
            .input(tf.constant(0.1f))
            .attr("seed", 3)
            .attr("seed2", d.integer(1, 1000))
            .build();
    Script script = Script.on(tf);
    for (int run = 0; run < 3; run++) {
      script.fetch(sample.output(0), sample.output(1), sample.output(2));
    }
    return script;
  }

  private static OpCall sampledInputs(Draw d) {
    int count = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 3);
    return OpCall.of(
        d.indices(d.type(), Shape.of(3), 1, 120), d.tensor(FLOAT, Shape.of(1, count, 4), 0, 1));
  }

  private static OpCall seeded(Draw d, OpCall call) {
    return call.attr("seed", d.integer(0, 1000)).attr("seed2", d.integer(1, 1000));
  }

  private static OpCall sampled(Draw d, OpCall call) {
    float least = (float) (0.01 + 0.4 * d.random().nextDouble());
    return call.attr("area_range", List.of(least, 1f))
        .attr("aspect_ratio_range", List.of(0.5f, 1 + least))
        .attr("max_attempts", d.oneOf(1, 10, 100))
        .attr("use_image_if_no_bounding_boxes", true);
  }
}
