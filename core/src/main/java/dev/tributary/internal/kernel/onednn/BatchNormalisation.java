package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_SCALE;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_SHIFT;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_MEAN;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SCALE;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SHIFT;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_VARIANCE;
import static org.bytedeco.dnnl.global.dnnl.dnnl_backward;
import static org.bytedeco.dnnl.global.dnnl.dnnl_batch_normalization_backward_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_batch_normalization_forward_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_forward_training;
import static org.bytedeco.dnnl.global.dnnl.dnnl_use_global_stats;
import static org.bytedeco.dnnl.global.dnnl.dnnl_use_scale;
import static org.bytedeco.dnnl.global.dnnl.dnnl_use_shift;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.ChannelGeometry;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * Batch normalisation and its gradient. The caller's tensors are x, y, scale, offset, mean and
 * variance; for a gradient x, scale, mean, variance, and the gradients of y, x, scale and offset.
 * Mean and variance are computed if {@code ofBatch}, and in the gradient depend on x then.
 */
record BatchNormalisation(
    ChannelGeometry geometry, float epsilon, boolean ofBatch, boolean gradient)
    implements ProgramCache.Recipe {
  @Override
  public ProgramBuilder prepare() {
    try (Layouts layouts = new Layouts()) {
      final ChannelGeometry g = geometry;
      final dnnl_memory_desc image =
          g.inner() == 1
              ? layouts.channelsLast(g.outer(), g.channels())
              : layouts.channelsFirst(g.outer(), g.channels(), g.inner());
      final dnnl_memory_desc vector = layouts.vector(g.channels());
      try (Description forward = forward(image)) {
        requireWrittenCode(forward);
        return gradient ? backward(forward, image, vector) : forward(forward, image, vector);
      }
    }
  }

  /**
   * With channels last and not a multiple of the vector's length, the library has a loop only that
   * is about half as fast as ours; the one for channels first is 3 to 4 times as fast.
   */
  private void requireWrittenCode(Description forward) {
    if (geometry.inner() == 1 && !forward.code().contains("jit")) {
      throw TributaryException.unimplemented("oneDNN has only a loop for %s", geometry);
    }
  }

  private static ProgramBuilder forward(
      Description forward, dnnl_memory_desc image, dnnl_memory_desc vector) {
    final ProgramBuilder program = new ProgramBuilder();
    program.step(
        forward.handle(),
        DNNL_ARG_SRC,
        program.tensor(image),
        DNNL_ARG_DST,
        program.tensor(image),
        DNNL_ARG_SCALE,
        program.tensor(vector),
        DNNL_ARG_SHIFT,
        program.tensor(vector),
        DNNL_ARG_MEAN,
        program.tensor(vector),
        DNNL_ARG_VARIANCE,
        program.tensor(vector));
    return program;
  }

  private ProgramBuilder backward(
      Description forward, dnnl_memory_desc image, dnnl_memory_desc vector) {
    try (Description backward =
        Description.fast(
            (result, attributes) ->
                dnnl_batch_normalization_backward_primitive_desc_create(
                    result,
                    Library.ENGINE,
                    dnnl_backward,
                    image,
                    image,
                    image,
                    epsilon,
                    flags(),
                    forward.handle(),
                    attributes),
            Activation.NONE)) {
      final ProgramBuilder program = new ProgramBuilder();
      program.step(
          backward.handle(),
          DNNL_ARG_SRC,
          program.tensor(image),
          DNNL_ARG_SCALE,
          program.tensor(vector),
          DNNL_ARG_MEAN,
          program.tensor(vector),
          DNNL_ARG_VARIANCE,
          program.tensor(vector),
          DNNL_ARG_DIFF_DST,
          program.tensor(image),
          DNNL_ARG_DIFF_SRC,
          program.tensor(image),
          DNNL_ARG_DIFF_SCALE,
          program.tensor(vector),
          DNNL_ARG_DIFF_SHIFT,
          program.tensor(vector));
      return program;
    }
  }

  private Description forward(dnnl_memory_desc image) {
    return Description.fast(
        (result, attributes) ->
            dnnl_batch_normalization_forward_primitive_desc_create(
                result,
                Library.ENGINE,
                dnnl_forward_training,
                image,
                image,
                epsilon,
                flags(),
                attributes),
        Activation.NONE);
  }

  private int flags() {
    final int affine = dnnl_use_scale | dnnl_use_shift;
    return ofBatch ? affine : affine | dnnl_use_global_stats;
  }
}
