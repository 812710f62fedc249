package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BFLOAT16;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.HALF;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

final class SummaryOpRows {
  private static final DataType[] NUMBERS = {
    FLOAT, DOUBLE, INT32, INT64, UINT8, INT8, INT16, HALF, BFLOAT16
  };
  private static final byte[] LOSS_IS_ONE = {
    10, 11, 10, 4, 'l', 'o', 's', 's', 21, 0, 0, (byte) 0x80, 0x3f
  };

  private SummaryOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("ScalarSummary")
            .example(() -> OpCall.of(Tensor.scalar("loss"), Tensor.scalar(1f)), one())
            .types(NUMBERS)
            .draw(
                d -> {
                  Shape shape = d.shape(0, 2);
                  return OpCall.of(tags(shape), d.tensor(shape));
                }),
        OpRow.of("HistogramSummary")
            .example(() -> OpCall.of(Tensor.scalar(""), Tensor.of(new float[0])), emptyHistogram())
            .types(NUMBERS)
            .draw(
                d ->
                    OpCall.of(
                        Tensor.scalar("weights"),
                        d.type() == FLOAT && d.flip()
                            ? d.tensor(FLOAT, d.shape(0, 3), -1e30, 1e30)
                            : d.tensor(d.shape(0, 3)))),
        OpRow.of("ImageSummary")
            .types(FLOAT, DOUBLE, HALF, UINT8)
            .without(Draw.Size.EMPTY, "an image has at least one pixel")
            .example(
                () ->
                    OpCall.of(Tensor.scalar("a"), Tensor.zeros(UINT8, Shape.of(0, 1, 1, 3)))
                        .attr("max_images", 1),
                bytes())
            .draw(
                d ->
                    OpCall.of(
                            Tensor.scalar("digit"),
                            d.tensor(
                                Shape.of(
                                    d.integer(1, 3),
                                    d.integer(1, 5),
                                    d.integer(1, 5),
                                    d.oneOf(1, 3, 4))))
                        .attr("max_images", d.oneOf(1, 2)))
            .withoutStock("encoders of PNG compress differently; see StockImagesTest"),
        OpRow.of("AudioSummaryV2")
            .types(FLOAT)
            .example(
                () ->
                    OpCall.of(Tensor.scalar("a"), Tensor.zeros(FLOAT, Shape.of(0, 1)))
                        .input(Tensor.scalar(8000f)),
                bytes())
            .draw(d -> sounds(d).input(Tensor.scalar(16000f)).attr("max_outputs", d.oneOf(1, 2))),
        OpRow.of("AudioSummary")
            .types(FLOAT)
            .example(
                () ->
                    OpCall.of(Tensor.scalar("a"), Tensor.zeros(FLOAT, Shape.of(0, 1)))
                        .attr("sample_rate", 8000f),
                bytes())
            .draw(d -> sounds(d).attr("sample_rate", 44100f).attr("max_outputs", d.oneOf(1, 2))),
        OpRow.of("TensorSummary")
            .script(SummaryOpRows::tensorSummary)
            .withoutStock("stock writes numbers one by one, and we as raw content"),
        OpRow.of("TensorSummaryV2")
            .types(FLOAT, INT32, STRING)
            .example(
                () -> OpCall.of(Tensor.scalar(""), Tensor.of(new float[0]), Tensor.scalar("")),
                bytes(10, 10, 66, 6, 8, 1, 18, 2, 18, 0, 74, 0))
            .draw(
                d ->
                    OpCall.of(
                        Tensor.scalar("tensor"),
                        d.tensor(d.shape(0, 3)),
                        Tensor.scalar(d.oneOf("", "\u0012\u0003abc"))))
            .withoutStock("stock writes numbers one by one, and we as raw content"),
        OpRow.of("MergeSummary")
            .example(() -> OpCall.of(one(), Tensor.scalar("")).attr("N", 2), one())
            .types(STRING)
            .draw(
                d ->
                    OpCall.of(one(), d.size() == Draw.Size.EMPTY ? none() : Tensor.of("", ""))
                        .attr("N", 2)));
  }

  private static OpCall sounds(Draw d) {
    int frames = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 9);
    Shape shape = Shape.of(d.integer(1, 3), frames);
    return OpCall.of(
        Tensor.scalar("sound"),
        d.tensor(
            FLOAT, d.flip() ? shape : shape.concatenate(Shape.of(d.integer(1, 2))), -1.2, 1.2));
  }

  private static Script tensorSummary(Draw d) {
    Ops tf = Ops.create();
    Output summary =
        tf.withName("n")
            .scope()
            .operation("TensorSummary")
            .input(tf.constant(new float[0]))
            .buildOutput();
    return Script.on(tf).expect(summary, bytes(10, 11, 58, 1, 'n', 66, 6, 8, 1, 18, 2, 18, 0));
  }

  private static Tensor tags(Shape shape) {
    String[] tags = new String[(int) shape.elementCount()];
    for (int i = 0; i < tags.length; i++) {
      tags[i] = "tag" + i;
    }
    return Tensor.of(shape, tags);
  }

  private static Tensor one() {
    return Tensor.ofObjects(STRING, Shape.scalar(), (Object) LOSS_IS_ONE.clone());
  }

  private static Tensor none() {
    return Tensor.of(new String[0]);
  }

  /** One bucket up to the largest number, and a least and greatest value that are none. */
  private static Tensor emptyHistogram() {
    return bytes(
        10, 40, 42, 38, 9, 255, 255, 255, 255, 255, 255, 239, 127, 17, 255, 255, 255, 255, 255, 255,
        239, 255, 50, 8, 255, 255, 255, 255, 255, 255, 239, 127, 58, 8, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  private static Tensor bytes(int... values) {
    byte[] content = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      content[i] = (byte) values[i];
    }
    return Tensor.ofObjects(STRING, Shape.scalar(), (Object) content);
  }
}
