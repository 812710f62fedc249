package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC_0;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC_1;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_add;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_primitive_desc_create;

import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.ChannelGeometry;
import org.bytedeco.dnnl.dnnl_memory_desc;

/** A number for each channel, added to all its elements. */
record BiasSum(ChannelGeometry geometry) implements ProgramCache.Recipe {
  @Override
  public ProgramBuilder prepare() {
    final ChannelGeometry g = geometry;
    try (Layouts layouts = new Layouts()) {
      final dnnl_memory_desc values =
          layouts.strided(
              new long[] {g.outer(), g.channels(), g.inner()},
              g.channels() * g.inner(),
              g.inner(),
              1);
      final dnnl_memory_desc bias =
          layouts.strided(new long[] {1, g.channels(), 1}, g.channels(), 1, 1);
      try (Description description =
          Description.fast(
              (result, attributes) ->
                  dnnl_binary_primitive_desc_create(
                      result, Library.ENGINE, dnnl_binary_add, values, bias, values, attributes),
              Activation.NONE)) {
        final ProgramBuilder program = new ProgramBuilder();
        program.step(
            description.handle(),
            DNNL_ARG_SRC_0,
            program.tensor(values),
            DNNL_ARG_SRC_1,
            program.tensor(bias),
            DNNL_ARG_DST,
            program.tensor(values));
        return program;
      }
    }
  }
}
