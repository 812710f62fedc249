package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC_0;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC_1;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_primitive_desc_create;

import dev.tributary.internal.kernel.Activation;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * A function of pairs of elements of two dense tensors. May work in place.
 *
 * @param rightCount as many as there are, or 1 if all meet the same one
 */
record Pairs(PairFunction function, long count, long rightCount) implements ProgramCache.Recipe {
  @Override
  public ProgramBuilder prepare() {
    try (Layouts layouts = new Layouts()) {
      final dnnl_memory_desc elements = layouts.vector(count);
      final dnnl_memory_desc right = layouts.vector(rightCount);
      try (Description description =
          Description.fast(
              (result, attributes) ->
                  dnnl_binary_primitive_desc_create(
                      result,
                      Library.ENGINE,
                      function.algorithm(),
                      elements,
                      right,
                      elements,
                      attributes),
              Activation.NONE)) {
        final ProgramBuilder program = new ProgramBuilder();
        program.step(
            description.handle(),
            DNNL_ARG_SRC_0,
            program.tensor(elements),
            DNNL_ARG_SRC_1,
            program.tensor(right),
            DNNL_ARG_DST,
            program.tensor(elements));
        return program;
      }
    }
  }
}
