package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_ATTR_MULTIPLE_POST_OP_BASE;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_BIAS;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_WEIGHTS;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC_1;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_WEIGHTS;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_add;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_mul;
import static org.bytedeco.dnnl.global.dnnl.dnnl_convolution_backward_data_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_convolution_backward_weights_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_convolution_direct;
import static org.bytedeco.dnnl.global.dnnl.dnnl_convolution_forward_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_forward_training;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_append_binary;
import static org.bytedeco.dnnl.global.dnnl.dnnl_query_diff_dst_md;
import static org.bytedeco.dnnl.global.dnnl.dnnl_query_diff_src_md;
import static org.bytedeco.dnnl.global.dnnl.dnnl_query_diff_weights_md;
import static org.bytedeco.dnnl.global.dnnl.dnnl_query_dst_md;
import static org.bytedeco.dnnl.global.dnnl.dnnl_query_src_md;
import static org.bytedeco.dnnl.global.dnnl.dnnl_query_weights_md;
import static org.bytedeco.dnnl.global.dnnl.dnnl_success;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.ConvGeometry;
import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.kernel.ImageFormat;
import dev.tributary.internal.kernel.Window;
import org.bytedeco.dnnl.dnnl_memory_desc;
import org.bytedeco.dnnl.dnnl_post_ops;

/**
 * Convolutions and their gradients. Inputs with channels last stay as they are, and the library
 * chooses the rest: it then keeps channels last in the result as well and uses its direct code,
 * which it does not if it is told so for both. With channels first it chooses all layouts, and
 * tensors are reordered on the way in and out, each time; but for inputs of few channels, where
 * blocks would be mostly padding. Filters are reordered each time, except those of one pixel on
 * channels last, where the library has code that multiplies by them as they are.
 *
 * @param norm how results are normalized, for FORWARD
 */
record Convolution(Kind kind, ConvGeometry geometry, Epilogue epilogue, Norm norm)
    implements ProgramCache.Recipe {
  /** The one of the three tensors that is computed from the other two. */
  enum Kind {
    FORWARD,
    INPUT_GRADIENT,
    FILTER_GRADIENT
  }

  /** The way in which the results of a convolution are multiplied by a factor for each channel. */
  enum Norm {
    NONE,
    /**
     * By the filter, which is given as {@link #scaledFilter} makes it. The sums are part of the
     * bias.
     */
    IN_FILTER,
    /** With their bias, by a vector of channels; another one is added before the activation. */
    BEHIND
  }

  /** Below this, inputs keep the caller's layout. */
  private static final long FEW_CHANNELS = 4;

  /** The dimensions of a filter that factors for each output channel follow, as a set of bits. */
  private static final int OUTPUTS = 1;

  private static final int GROUPED_OUTPUTS = 3;

  /** The library's name for its code that multiplies by filters as they are. */
  private static final String PRODUCT_CODE = "brg";

  @Override
  public ProgramBuilder prepare() {
    try (Layouts layouts = new Layouts()) {
      final Tensors given = given(layouts);
      if (norm != Norm.IN_FILTER && isProduct()) {
        try (Description product = forward(given)) {
          if (product.code().startsWith(PRODUCT_CODE)) {
            return forwardProgram(product, given);
          }
        } catch (TributaryException e) {
          // The library has nothing for these layouts, but may have for those that it chooses.
        }
      }
      final Tensors wanted = wanted(layouts, given);
      try (Description forward = forward(wanted)) {
        return switch (kind) {
          case FORWARD -> forwardProgram(forward, given);
          case INPUT_GRADIENT -> inputGradientProgram(forward, given, wanted);
          case FILTER_GRADIENT -> filterGradientProgram(forward, given, wanted);
        };
      }
    }
  }

  private ProgramBuilder forwardProgram(Description forward, Tensors given) {
    final ProgramBuilder program = new ProgramBuilder();
    final int input = program.tensor(given.input);
    final dnnl_memory_desc chosen = forward.layout(dnnl_query_weights_md);
    final int filter = program.tensor(norm == Norm.IN_FILTER ? chosen : given.filter);
    final int output = program.tensor(given.output);
    final int bias = epilogue.bias() ? program.tensor(given.bias) : -1;
    final int gain = norm == Norm.BEHIND ? program.tensor(given.channels) : -1;
    final int offset = norm == Norm.BEHIND ? program.tensor(given.channels) : -1;
    final int source = program.asInput(input, forward.layout(dnnl_query_src_md));
    final int weights = program.asInput(filter, chosen);
    final boolean rectified = epilogue.activation() == Activation.RELU;
    final dnnl_memory_desc made = forward.layout(dnnl_query_dst_md);
    final int result = rectified ? program.temporary(made) : program.asOutput(output, made);
    if (norm == Norm.BEHIND) {
      program.step(
          forward.handle(),
          DNNL_ARG_SRC,
          source,
          DNNL_ARG_WEIGHTS,
          weights,
          DNNL_ARG_BIAS,
          bias,
          DNNL_ARG_ATTR_MULTIPLE_POST_OP_BASE | DNNL_ARG_SRC_1,
          gain,
          2 * DNNL_ARG_ATTR_MULTIPLE_POST_OP_BASE | DNNL_ARG_SRC_1,
          offset,
          DNNL_ARG_DST,
          result);
    } else if (epilogue.bias()) {
      program.step(
          forward.handle(),
          DNNL_ARG_SRC,
          source,
          DNNL_ARG_WEIGHTS,
          weights,
          DNNL_ARG_BIAS,
          bias,
          DNNL_ARG_DST,
          result);
    } else {
      program.step(
          forward.handle(), DNNL_ARG_SRC, source, DNNL_ARG_WEIGHTS, weights, DNNL_ARG_DST, result);
    }
    if (rectified) {
      Rectifier.append(program, program.asInput(result, program.layout(output)), output);
    } else {
      program.deliver(result, output);
    }
    return program;
  }

  /**
   * Makes of a filter the one that {@link Norm#IN_FILTER} wants. Tensors: the filter, a factor for
   * each output channel, the result.
   */
  ProgramBuilder scaledFilter() {
    try (Layouts layouts = new Layouts()) {
      final Tensors given = given(layouts);
      try (Description forward = forward(wanted(layouts, given))) {
        final ProgramBuilder program = new ProgramBuilder();
        final int filter = program.tensor(given.filter);
        final int factors = program.tensor(given.bias);
        final int result = program.tensor(forward.layout(dnnl_query_weights_md));
        program.scale(filter, geometry.groups() == 1 ? OUTPUTS : GROUPED_OUTPUTS, factors, result);
        return program;
      }
    }
  }

  private ProgramBuilder inputGradientProgram(Description forward, Tensors given, Tensors wanted) {
    try (Description backward =
        Description.fast(
            (result, attributes) ->
                dnnl_convolution_backward_data_primitive_desc_create(
                    result,
                    Library.ENGINE,
                    dnnl_convolution_direct,
                    wanted.input,
                    wanted.filter,
                    wanted.output,
                    strides(),
                    dilations(),
                    before(),
                    after(),
                    forward.handle(),
                    attributes),
            Activation.NONE)) {
      final ProgramBuilder program = new ProgramBuilder();
      final int filter = program.tensor(given.filter);
      final int gradient = program.tensor(given.output);
      final int inputGradient = program.tensor(given.input);
      final int weights = program.asInput(filter, backward.layout(dnnl_query_weights_md));
      final int source = program.asInput(gradient, backward.layout(dnnl_query_diff_dst_md));
      final int result = program.asOutput(inputGradient, backward.layout(dnnl_query_diff_src_md));
      program.step(
          backward.handle(),
          DNNL_ARG_WEIGHTS,
          weights,
          DNNL_ARG_DIFF_DST,
          source,
          DNNL_ARG_DIFF_SRC,
          result);
      program.deliver(result, inputGradient);
      return program;
    }
  }

  private ProgramBuilder filterGradientProgram(Description forward, Tensors given, Tensors wanted) {
    try (Description backward =
        Description.fast(
            (result, attributes) ->
                dnnl_convolution_backward_weights_primitive_desc_create(
                    result,
                    Library.ENGINE,
                    dnnl_convolution_direct,
                    wanted.input,
                    wanted.filter,
                    null,
                    wanted.output,
                    strides(),
                    dilations(),
                    before(),
                    after(),
                    forward.handle(),
                    attributes),
            Activation.NONE)) {
      final ProgramBuilder program = new ProgramBuilder();
      final int input = program.tensor(given.input);
      final int gradient = program.tensor(given.output);
      final int filterGradient = program.tensor(given.filter);
      final int source = program.asInput(input, backward.layout(dnnl_query_src_md));
      final int above = program.asInput(gradient, backward.layout(dnnl_query_diff_dst_md));
      final int result =
          program.asOutput(filterGradient, backward.layout(dnnl_query_diff_weights_md));
      program.step(
          backward.handle(),
          DNNL_ARG_SRC,
          source,
          DNNL_ARG_DIFF_DST,
          above,
          DNNL_ARG_DIFF_WEIGHTS,
          result);
      program.deliver(result, filterGradient);
      return program;
    }
  }

  private Description forward(Tensors wanted) {
    final Description.Creation creation =
        (result, attributes) ->
            dnnl_convolution_forward_primitive_desc_create(
                result,
                Library.ENGINE,
                dnnl_forward_training,
                dnnl_convolution_direct,
                wanted.input,
                wanted.filter,
                epilogue.bias() ? wanted.bias : null,
                wanted.output,
                strides(),
                dilations(),
                before(),
                after(),
                attributes);
    final Activation activation =
        epilogue.activation() == Activation.RELU ? Activation.NONE : epilogue.activation();
    return norm == Norm.BEHIND
        ? Description.fast(creation, operations -> scale(operations, wanted.channels), activation)
        : Description.fast(creation, activation);
  }

  private static int scale(dnnl_post_ops operations, dnnl_memory_desc channels) {
    final int status = dnnl_post_ops_append_binary(operations, dnnl_binary_mul, channels);
    return status == dnnl_success
        ? dnnl_post_ops_append_binary(operations, dnnl_binary_add, channels)
        : status;
  }

  private record Tensors(
      dnnl_memory_desc input,
      dnnl_memory_desc filter,
      dnnl_memory_desc bias,
      dnnl_memory_desc channels,
      dnnl_memory_desc output) {}

  private Tensors given(Layouts layouts) {
    final ConvGeometry g = geometry;
    final long column = g.filterChannels() * g.outChannels();
    final long row = g.width().size() * column;
    final long groupOutputs = g.outChannels() / g.groups();
    return new Tensors(
        layouts.image(g.format(), g.batch(), g.inChannels(), g.height().input(), g.width().input()),
        g.groups() == 1
            ? layouts.strided(filterSizes(), 1, g.outChannels(), row, column)
            : layouts.strided(filterSizes(), groupOutputs, 1, g.outChannels(), row, column),
        layouts.vector(g.outChannels()),
        layouts.image(ImageFormat.NHWC, 1, g.outChannels(), 1, 1),
        layouts.image(
            g.format(), g.batch(), g.outChannels(), g.height().output(), g.width().output()));
  }

  private Tensors wanted(Layouts layouts, Tensors given) {
    final ConvGeometry g = geometry;
    return new Tensors(
        g.format() == ImageFormat.NHWC || g.inChannels() < FEW_CHANNELS
            ? given.input
            : layouts.any(g.batch(), g.inChannels(), g.height().input(), g.width().input()),
        layouts.any(filterSizes()),
        given.bias,
        given.channels,
        // Left to the library, it is not that of the input, and then there is only its reference.
        g.isDepthwise() && g.format() == ImageFormat.NHWC
            ? given.output
            : layouts.any(g.batch(), g.outChannels(), g.height().output(), g.width().output()));
  }

  /** Returns whether this is a matrix product of pixels and filter, as these lie in memory. */
  private boolean isProduct() {
    final ConvGeometry g = geometry;
    return kind == Kind.FORWARD
        && g.groups() == 1
        && g.format() == ImageFormat.NHWC
        && g.height().size() == 1
        && g.width().size() == 1;
  }

  private long[] filterSizes() {
    final ConvGeometry g = geometry;
    final long height = g.height().size();
    final long width = g.width().size();
    return g.groups() == 1
        ? new long[] {g.outChannels(), g.inChannels(), height, width}
        : new long[] {g.groups(), g.outChannels() / g.groups(), g.filterChannels(), height, width};
  }

  private long[] strides() {
    return new long[] {geometry.height().stride(), geometry.width().stride()};
  }

  /** oneDNN counts the elements between two taps. */
  private long[] dilations() {
    return new long[] {geometry.height().dilation() - 1, geometry.width().dilation() - 1};
  }

  private long[] before() {
    return new long[] {geometry.height().before(), geometry.width().before()};
  }

  private long[] after() {
    return new long[] {reached(geometry.height()), reached(geometry.width())};
  }

  /** The padding behind the image that the last window reaches, which is what oneDNN wants. */
  static long reached(Window window) {
    final long end = window.start(window.output() - 1) + (window.size() - 1) * window.dilation();
    return Math.max(0, end + 1 - window.input());
  }
}
