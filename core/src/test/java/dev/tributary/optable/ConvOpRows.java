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
import java.util.function.Function;

/**
 * Images are NHWC, and gradients of convolutions without dilation and groups: stock's CPU kernels
 * know no other. What they do not know is in {@link ImageOpsTest}.
 */
final class ConvOpRows {
  private static final DataType[] ORDERED = {FLOAT, DOUBLE, INT32, INT64, INT16, INT8, UINT8};

  private static final String NO_PADDINGS = "stock's native rule leaves out explicit_paddings";

  private ConvOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    rows.addAll(convolutions("Conv2D", WindowDraw::convolution));
    rows.addAll(convolutions("DepthwiseConv2dNative", WindowDraw::depthwise));
    rows.addAll(maxima());
    rows.addAll(fedMaxima());
    rows.addAll(averages());
    return rows;
  }

  private static List<OpRow> convolutions(String name, Function<Draw, WindowDraw> windows) {
    return List.of(
        row(name)
            .example(
                () -> valid(OpCall.of(image(1, 2, 3, 4), filter(1, 10, 100, 1000))), pixel(4321))
            .types(FLOAT, DOUBLE)
            .draw(d -> windows.apply(d).forward())
            .withoutStockGradient(NO_PADDINGS)
            .gradientOf(0, 1),
        row(name + "BackpropInput")
            .example(
                () ->
                    valid(
                        OpCall.of()
                            .constant(Tensor.of(1, 2, 2, 1))
                            .input(filter(1, 2, 3, 4))
                            .input(pixel(2))),
                image(2, 4, 6, 8))
            .types(FLOAT, DOUBLE)
            .draw(d -> windows.apply(d).inputGradient())
            .gradientOf(1, 2),
        filterGradient(name)
            .example(
                () ->
                    valid(
                        OpCall.of(image(1, 2, 3, 4))
                            .constant(Tensor.of(2, 2, 1, 1))
                            .input(pixel(2))),
                filter(2, 4, 6, 8))
            .types(FLOAT, DOUBLE)
            .draw(d -> windows.apply(d).filterGradient())
            .gradientOf(0, 2));
  }

  private static List<OpRow> maxima() {
    return List.of(
        row("MaxPool")
            .example(() -> pooled(OpCall.of(image(1, 4, 3, 2))), pixel(4))
            .types(ORDERED)
            .draw(d -> WindowDraw.pooling(d, "SAME", "VALID", "EXPLICIT").pool())
            .withoutStockGradient(NO_PADDINGS)
            .gradientOf(0),
        row("MaxPoolGrad")
            .example(
                () -> pooled(OpCall.of(image(1, 4, 3, 2), pixel(4), pixel(7))), image(0, 7, 0, 0))
            .types(ORDERED)
            .draw(d -> WindowDraw.pooling(d, "SAME", "VALID").maxGradient())
            .gradientOf(2),
        row("MaxPoolGradGrad")
            .example(
                () -> pooled(OpCall.of(image(1, 4, 3, 2), pixel(4), image(5, 6, 7, 8))), pixel(6))
            .types(ORDERED)
            .draw(d -> WindowDraw.pooling(d, "SAME", "VALID").maxSecondGradient())
            .gradientOf(2));
  }

  private static List<OpRow> fedMaxima() {
    return List.of(
        row("MaxPoolV2")
            .example(() -> fed(OpCall.of(image(1, 4, 3, 2))), pixel(4))
            .types(ORDERED)
            .draw(d -> WindowDraw.pooling(d, "SAME", "VALID").fedPool())
            .gradientOf(0),
        row("MaxPoolGradV2")
            .example(() -> fed(OpCall.of(image(1, 4, 3, 2), pixel(4), pixel(7))), image(0, 7, 0, 0))
            .types(ORDERED)
            .draw(d -> WindowDraw.pooling(d, "SAME", "VALID").fedMaxGradient())
            .gradientOf(2),
        row("MaxPoolGradGradV2")
            .example(() -> fed(OpCall.of(image(1, 4, 3, 2), pixel(4), image(5, 6, 7, 8))), pixel(6))
            .types(ORDERED)
            .draw(d -> WindowDraw.pooling(d, "SAME", "VALID").fedMaxSecondGradient())
            .gradientOf(2));
  }

  private static List<OpRow> averages() {
    return List.of(
        row("AvgPool")
            .example(() -> pooled(OpCall.of(image(1, 4, 3, 2))), pixel(2.5f))
            .types(FLOAT, DOUBLE)
            .draw(d -> WindowDraw.pooling(d, "SAME", "VALID").pool())
            .gradientOf(0),
        row("AvgPoolGrad")
            .example(
                () -> pooled(OpCall.of().constant(Tensor.of(1, 2, 2, 1)).input(pixel(8))),
                image(2, 2, 2, 2))
            .types(FLOAT, DOUBLE)
            .draw(d -> WindowDraw.pooling(d, "SAME", "VALID").averageGradient())
            .gradientOf(1));
  }

  private static OpRow filterGradient(String name) {
    OpRow row = row(name + "BackpropFilter");
    return name.equals("Conv2D")
        ? row
        : row.without(Draw.Size.EMPTY, "stock gives undefined values, not zeros");
  }

  private static OpRow row(String op) {
    return OpRow.of(op).without(Draw.Size.SCALAR, "images have rank 4");
  }

  private static Tensor image(float... pixels) {
    return Tensor.of(Shape.of(1, 2, 2, 1), pixels);
  }

  private static Tensor filter(float... taps) {
    return Tensor.of(Shape.of(2, 2, 1, 1), taps);
  }

  private static Tensor pixel(float value) {
    return Tensor.of(Shape.of(1, 1, 1, 1), value);
  }

  private static OpCall valid(OpCall call) {
    return call.attr("strides", new long[] {1, 1, 1, 1}).attr("padding", "VALID");
  }

  private static OpCall pooled(OpCall call) {
    long[] two = {1, 2, 2, 1};
    return call.attr("ksize", two).attr("strides", two).attr("padding", "VALID");
  }

  private static OpCall fed(OpCall call) {
    return call.constant(Tensor.of(1, 2, 2, 1))
        .constant(Tensor.of(1, 2, 2, 1))
        .attr("padding", "VALID");
  }
}
