package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_WORKSPACE;
import static org.bytedeco.dnnl.global.dnnl.dnnl_forward_inference;
import static org.bytedeco.dnnl.global.dnnl.dnnl_forward_training;
import static org.bytedeco.dnnl.global.dnnl.dnnl_pooling_avg_exclude_padding;
import static org.bytedeco.dnnl.global.dnnl.dnnl_pooling_backward_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_pooling_forward_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_pooling_max;
import static org.bytedeco.dnnl.global.dnnl.dnnl_query_workspace_md;

import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.PoolGeometry;
import dev.tributary.internal.kernel.Window;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * Pooling and its gradients, in the caller's layout. The gradient of the maximum pools once more,
 * for the places of the maxima.
 */
record Pooling(Kind kind, PoolGeometry geometry) implements ProgramCache.Recipe {
  enum Kind {
    MAX,
    MAX_GRADIENT,
    AVERAGE,
    AVERAGE_GRADIENT
  }

  /** Returns whether every window has an element of the image: oneDNN has no value for others. */
  static boolean covers(PoolGeometry g) {
    return g.inputElements() > 0
        && g.outputElements() > 0
        && insideImage(g.height())
        && insideImage(g.width());
  }

  private static boolean insideImage(Window window) {
    return window.before() < window.size() && window.start(window.output() - 1) < window.input();
  }

  @Override
  public ProgramBuilder prepare() {
    final PoolGeometry g = geometry;
    try (Layouts layouts = new Layouts()) {
      final dnnl_memory_desc input =
          layouts.image(g.format(), g.batch(), g.channels(), g.height().input(), g.width().input());
      final dnnl_memory_desc output =
          layouts.image(
              g.format(), g.batch(), g.channels(), g.height().output(), g.width().output());
      try (Description forward = forward(input, output)) {
        if (kind == Kind.MAX || kind == Kind.AVERAGE) {
          final ProgramBuilder program = new ProgramBuilder();
          program.step(
              forward.handle(),
              DNNL_ARG_SRC,
              program.tensor(input),
              DNNL_ARG_DST,
              program.tensor(output));
          return program;
        }
        return gradient(forward, input, output);
      }
    }
  }

  private ProgramBuilder gradient(
      Description forward, dnnl_memory_desc input, dnnl_memory_desc output) {
    try (Description backward = backward(forward, input, output)) {
      final ProgramBuilder program = new ProgramBuilder();
      if (kind == Kind.AVERAGE_GRADIENT) {
        program.step(
            backward.handle(),
            DNNL_ARG_DIFF_DST,
            program.tensor(output),
            DNNL_ARG_DIFF_SRC,
            program.tensor(input));
        return program;
      }
      final int source = program.tensor(input);
      final int above = program.tensor(output);
      final int result = program.tensor(input);
      final int places = program.temporary(forward.layout(dnnl_query_workspace_md));
      program.step(
          forward.handle(),
          DNNL_ARG_SRC,
          source,
          DNNL_ARG_DST,
          program.temporary(output),
          DNNL_ARG_WORKSPACE,
          places);
      program.step(
          backward.handle(),
          DNNL_ARG_DIFF_DST,
          above,
          DNNL_ARG_WORKSPACE,
          places,
          DNNL_ARG_DIFF_SRC,
          result);
      return program;
    }
  }

  private Description forward(dnnl_memory_desc input, dnnl_memory_desc output) {
    return Description.fast(
        (result, attributes) ->
            dnnl_pooling_forward_primitive_desc_create(
                result,
                Library.ENGINE,
                kind == Kind.MAX_GRADIENT ? dnnl_forward_training : dnnl_forward_inference,
                algorithm(),
                input,
                output,
                strides(),
                sizes(),
                new long[] {0, 0},
                before(),
                after(),
                attributes),
        Activation.NONE);
  }

  private Description backward(
      Description forward, dnnl_memory_desc input, dnnl_memory_desc output) {
    return Description.fast(
        (result, attributes) ->
            dnnl_pooling_backward_primitive_desc_create(
                result,
                Library.ENGINE,
                algorithm(),
                input,
                output,
                strides(),
                sizes(),
                new long[] {0, 0},
                before(),
                after(),
                forward.handle(),
                attributes),
        Activation.NONE);
  }

  private int algorithm() {
    return kind == Kind.MAX || kind == Kind.MAX_GRADIENT
        ? dnnl_pooling_max
        : dnnl_pooling_avg_exclude_padding;
  }

  private long[] strides() {
    return new long[] {geometry.height().stride(), geometry.width().stride()};
  }

  private long[] sizes() {
    return new long[] {geometry.height().size(), geometry.width().size()};
  }

  private long[] before() {
    return new long[] {geometry.height().before(), geometry.width().before()};
  }

  private long[] after() {
    return new long[] {
      Convolution.reached(geometry.height()), Convolution.reached(geometry.width())
    };
  }
}
