package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;
import static org.bytedeco.dnnl.global.dnnl.dnnl_forward_inference;
import static org.bytedeco.dnnl.global.dnnl.dnnl_lrn_across_channels;
import static org.bytedeco.dnnl.global.dnnl.dnnl_lrn_forward_primitive_desc_create;

import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.ResponseNormGeometry;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * Local response normalisation across channels. oneDNN has code for radius 2 and beta 0.75 only,
 * and none but its reference for the gradient.
 */
record ResponseNormalisation(ResponseNormGeometry geometry) implements ProgramCache.Recipe {
  @Override
  public ProgramBuilder prepare() {
    try (Layouts layouts = new Layouts()) {
      final dnnl_memory_desc image = layouts.channelsLast(geometry.pixels(), geometry.channels());
      final long size = 2L * geometry.radius() + 1;
      try (Description description =
          Description.fast(
              (result, attributes) ->
                  dnnl_lrn_forward_primitive_desc_create(
                      result,
                      Library.ENGINE,
                      dnnl_forward_inference,
                      dnnl_lrn_across_channels,
                      image,
                      image,
                      size,
                      // The library takes the mean of the squares where TensorFlow takes the sum.
                      geometry.alpha() * size,
                      geometry.beta(),
                      geometry.bias(),
                      attributes),
              Activation.NONE)) {
        final ProgramBuilder program = new ProgramBuilder();
        program.step(
            description.handle(),
            DNNL_ARG_SRC,
            program.tensor(image),
            DNNL_ARG_DST,
            program.tensor(image));
        return program;
      }
    }
  }
}
