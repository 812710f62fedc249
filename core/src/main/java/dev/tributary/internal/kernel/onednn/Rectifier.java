package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_ATTR_MULTIPLE_POST_OP_BASE;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC_0;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC_1;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_max;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_eltwise_relu;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_get_size;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_append_binary;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_append_eltwise;
import static org.bytedeco.dnnl.global.dnnl.dnnl_success;

import dev.tributary.internal.kernel.Activation;
import org.bytedeco.dnnl.dnnl_memory_desc;
import org.bytedeco.dnnl.dnnl_post_ops;
import org.bytedeco.dnnl.dnnl_primitive_attr;
import org.bytedeco.dnnl.dnnl_primitive_desc;

/**
 * The larger of 0 and each element, as a step of a program. oneDNN's own rectifier makes 0 of NaN,
 * which would hide that a training has diverged. But its larger of two numbers is the second one if
 * either is NaN, so the larger of 0 and the element is right for all.
 */
final class Rectifier {
  /** The library's name for arguments of the second post-operation, numbered from 1. */
  private static final int SECOND_OPERATION = 2 * DNNL_ARG_ATTR_MULTIPLE_POST_OP_BASE;

  private Rectifier() {}

  /** Rectifies what is at {@code from} into {@code to}, which has the same layout. */
  static void append(ProgramBuilder program, int from, int to) {
    final dnnl_memory_desc layout = program.layout(from);
    if (dnnl_memory_desc_get_size(layout) <= Zeros.BYTES) {
      appendSmall(program, layout, from, to);
    } else {
      appendLarge(program, layout, from, to);
    }
  }

  private static void appendSmall(
      ProgramBuilder program, dnnl_memory_desc layout, int from, int to) {
    try (Description description =
        Description.fast(
            (result, attributes) -> larger(result, layout, attributes), Activation.NONE)) {
      program.step(
          description.handle(),
          DNNL_ARG_SRC_0,
          program.zeros(layout),
          DNNL_ARG_SRC_1,
          from,
          DNNL_ARG_DST,
          to);
    }
  }

  /**
   * The zeros, which would come from memory, are made of the elements instead: by the library's
   * rectifier.
   */
  private static void appendLarge(
      ProgramBuilder program, dnnl_memory_desc layout, int from, int to) {
    try (Description description =
        Description.fast(
            (result, attributes) -> larger(result, layout, attributes),
            operations -> rectify(operations, layout))) {
      program.step(
          description.handle(),
          DNNL_ARG_SRC_0,
          from,
          DNNL_ARG_SRC_1,
          from,
          SECOND_OPERATION | DNNL_ARG_SRC_1,
          from,
          DNNL_ARG_DST,
          to);
    }
  }

  private static int larger(
      dnnl_primitive_desc result, dnnl_memory_desc layout, dnnl_primitive_attr attributes) {
    return dnnl_binary_primitive_desc_create(
        result, Library.ENGINE, dnnl_binary_max, layout, layout, layout, attributes);
  }

  private static int rectify(dnnl_post_ops operations, dnnl_memory_desc layout) {
    final int status = dnnl_post_ops_append_eltwise(operations, dnnl_eltwise_relu, 0, 0);
    return status == dnnl_success
        ? dnnl_post_ops_append_binary(operations, dnnl_binary_max, layout)
        : status;
  }
}
