package dev.tributary.optable;

import dev.tributary.internal.kernel.nn.ConvSpec;
import dev.tributary.internal.kernel.nn.PoolSpec;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.ops.Ops;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Draws the calls of ops with windows over NHWC images: a convolution, a pooling, or one of their
 * gradients.
 */
final class WindowDraw {
  private final Draw d;
  private final boolean depthwise;
  private final Shape image;
  private final Map<String, AttrValue> attributes = new LinkedHashMap<>();

  private WindowDraw(Draw d, boolean depthwise) {
    this.d = d;
    this.depthwise = depthwise;
    long batch = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 3);
    this.image = Shape.of(batch, d.integer(3, 7), d.integer(3, 7), d.integer(1, 3));
  }

  /** A convolution with any padding and any strides. */
  static WindowDraw convolution(Draw d) {
    WindowDraw draw = new WindowDraw(d, false);
    draw.windows(d.oneOf("SAME", "VALID", "EXPLICIT"), d.integer(1, 3), d.integer(1, 3));
    return draw;
  }

  /** A depthwise convolution: stock's have the same stride in both directions. */
  static WindowDraw depthwise(Draw d) {
    WindowDraw draw = new WindowDraw(d, true);
    int stride = d.integer(1, 3);
    draw.windows(d.oneOf("SAME", "VALID", "EXPLICIT"), stride, stride);
    return draw;
  }

  static WindowDraw pooling(Draw d, String... paddings) {
    WindowDraw draw = new WindowDraw(d, false);
    draw.windows(d.oneOf(paddings), d.integer(1, 3), d.integer(1, 3));
    int least = draw.attributes.containsKey("explicit_paddings") ? 2 : 1;
    draw.set("ksize", new long[] {1, d.integer(least, 3), d.integer(least, 3), 1});
    return draw;
  }

  // ---- convolutions ----

  /** Not depthwise, also with dilation and groups. */
  OpCall forward() {
    if (depthwise) {
      return call(d.tensor(image), d.tensor(filter()));
    }
    boolean small = image.size(1) < 5 || image.size(2) < 5;
    set("dilations", new long[] {1, small ? 1 : d.integer(1, 2), small ? 1 : d.integer(1, 2), 1});
    int groups = d.integer(1, 2);
    Shape filter = filter();
    Shape grouped = filter.withSize(3, groups * filter.size(3));
    return call(d.tensor(image.withSize(3, groups * image.size(3))), d.tensor(grouped));
  }

  OpCall inputGradient() {
    Shape filter = filter();
    Shape output = convolved(filter);
    return attributes(
        OpCall.of().constant(sizes(image)).input(d.tensor(filter)).input(d.tensor(output)));
  }

  OpCall filterGradient() {
    Shape filter = filter();
    Shape output = convolved(filter);
    return attributes(OpCall.of(d.tensor(image)).constant(sizes(filter)).input(d.tensor(output)));
  }

  // ---- pooling ----

  OpCall pool() {
    return call(distinct());
  }

  /** Window sizes and strides as inputs. */
  OpCall fedPool() {
    return fed(OpCall.of(distinct()));
  }

  /** Inputs: image, pooled image, gradient. */
  OpCall maxGradient() {
    return attributes(maxGradientInputs());
  }

  OpCall fedMaxGradient() {
    return fed(maxGradientInputs());
  }

  OpCall maxSecondGradient() {
    return attributes(maxSecondGradientInputs());
  }

  OpCall fedMaxSecondGradient() {
    return fed(maxSecondGradientInputs());
  }

  OpCall averageGradient() {
    Shape output = PoolSpec.of(read()).output(image);
    return attributes(OpCall.of().constant(sizes(image)).input(d.tensor(output)));
  }

  private OpCall maxGradientInputs() {
    Tensor input = distinct();
    Tensor output = pooled(input);
    return OpCall.of(input, output, d.tensor(output.shape()));
  }

  private OpCall maxSecondGradientInputs() {
    Tensor input = distinct();
    return OpCall.of(input, pooled(input), d.tensor(image));
  }

  /** The pooled image, which the gradients of max pooling expect to be the true one. */
  private Tensor pooled(Tensor input) {
    try (OpCall call = call(input.retain());
        CallSession session = new CallSession(Ops.registry());
        StepResult result = session.run(CallGraph.fed(session.tf(), "MaxPool", call))) {
      return result.get(0).retain();
    }
  }

  private Tensor distinct() {
    return d.type().isInteger() ? d.tensor(image) : d.distinct(image, 0.1);
  }

  private Shape filter() {
    return Shape.of(d.integer(1, 3), d.integer(1, 3), image.size(3), d.integer(1, 4));
  }

  private Shape convolved(Shape filter) {
    return (depthwise ? ConvSpec.depthwise(read()) : ConvSpec.of(read())).output(image, filter);
  }

  private void windows(String padding, int strideHeight, int strideWidth) {
    set("strides", new long[] {1, strideHeight, strideWidth, 1});
    set("padding", padding);
    if (padding.equals("EXPLICIT")) {
      long[] zeros = {
        0, 0, d.integer(0, 1), d.integer(0, 1), d.integer(0, 1), d.integer(0, 1), 0, 0
      };
      set("explicit_paddings", zeros);
    }
  }

  private void set(String name, Object value) {
    attributes.put(name, AttrValue.ofObject(value));
  }

  private Attributes read() {
    Map<String, AttrValue> all = new LinkedHashMap<>(attributes);
    all.put("data_format", AttrValue.of("NHWC"));
    return Attributes.of(all);
  }

  private OpCall call(Tensor... inputs) {
    return attributes(OpCall.of(inputs));
  }

  private OpCall attributes(OpCall call) {
    attributes.forEach(call::attr);
    return call;
  }

  private OpCall fed(OpCall call) {
    return call.constant(ints("ksize"))
        .constant(ints("strides"))
        .attr("padding", attributes.get("padding"));
  }

  private Tensor ints(String name) {
    return sizes(Shape.of(Attributes.of(attributes).integers(name)));
  }

  private static Tensor sizes(Shape shape) {
    return Tensor.of(Arrays.stream(shape.toArray()).mapToInt(Math::toIntExact).toArray());
  }
}
