package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;
import static org.bytedeco.dnnl.global.dnnl.dnnl_forward_inference;
import static org.bytedeco.dnnl.global.dnnl.dnnl_softmax_accurate;
import static org.bytedeco.dnnl.global.dnnl.dnnl_softmax_forward_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_softmax_log;

import dev.tributary.internal.kernel.Activation;
import org.bytedeco.dnnl.dnnl_memory_desc;

/** Softmax of each row of a matrix, or its logarithm. */
record SoftmaxRows(boolean logarithm, long rows, long classes) implements ProgramCache.Recipe {
  @Override
  public ProgramBuilder prepare() {
    try (Layouts layouts = new Layouts()) {
      final dnnl_memory_desc matrix = layouts.strided(new long[] {rows, classes}, classes, 1);
      try (Description description =
          Description.fast(
              (result, attributes) ->
                  dnnl_softmax_forward_primitive_desc_create(
                      result,
                      Library.ENGINE,
                      dnnl_forward_inference,
                      logarithm ? dnnl_softmax_log : dnnl_softmax_accurate,
                      matrix,
                      matrix,
                      1,
                      attributes),
              Activation.NONE)) {
        final ProgramBuilder program = new ProgramBuilder();
        program.step(
            description.handle(),
            DNNL_ARG_SRC,
            program.tensor(matrix),
            DNNL_ARG_DST,
            program.tensor(matrix));
        return program;
      }
    }
  }
}
