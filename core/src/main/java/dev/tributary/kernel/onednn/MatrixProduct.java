package dev.tributary.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_BIAS;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_WEIGHTS;
import static org.bytedeco.dnnl.global.dnnl.dnnl_matmul_primitive_desc_create;

import dev.tributary.kernel.Epilogue;
import dev.tributary.kernel.GemmGeometry;
import org.bytedeco.dnnl.dnnl_memory_desc;

/** Batches of matrix products, or one with an epilogue. */
record MatrixProduct(GemmGeometry geometry, Epilogue epilogue) implements ProgramCache.Recipe {
  /** Whether oneDNN's notion of a batch covers these strides. */
  static boolean covers(GemmGeometry g) {
    return !g.accumulate()
        && (g.strideA() == 0 || g.strideA() == g.m() * g.k())
        && (g.strideB() == 0 || g.strideB() == g.k() * g.n());
  }

  @Override
  public ProgramBuilder prepare() {
    final GemmGeometry g = geometry;
    try (Layouts layouts = new Layouts()) {
      final dnnl_memory_desc a = matrix(layouts, g.strideA(), g.m(), g.k(), g.transposeA());
      final dnnl_memory_desc b = matrix(layouts, g.strideB(), g.k(), g.n(), g.transposeB());
      final dnnl_memory_desc c = matrix(layouts, g.m() * g.n(), g.m(), g.n(), false);
      final dnnl_memory_desc bias = matrix(layouts, 0, 1, g.n(), false);
      try (Description product =
          Description.fast(
              (result, attributes) ->
                  dnnl_matmul_primitive_desc_create(
                      result, Library.ENGINE, a, b, epilogue.bias() ? bias : null, c, attributes),
              epilogue.activation())) {
        final ProgramBuilder program = new ProgramBuilder();
        final int left = program.tensor(a);
        final int right = program.tensor(b);
        final int result = program.tensor(c);
        if (epilogue.bias()) {
          program.step(
              product.handle(),
              DNNL_ARG_SRC,
              left,
              DNNL_ARG_WEIGHTS,
              right,
              DNNL_ARG_BIAS,
              program.tensor(bias),
              DNNL_ARG_DST,
              result);
        } else {
          program.step(
              product.handle(), DNNL_ARG_SRC, left, DNNL_ARG_WEIGHTS, right, DNNL_ARG_DST, result);
        }
        return program;
      }
    }
  }

  /** Stride 0 repeats one matrix for the whole batch, which oneDNN calls a batch of 1. */
  private dnnl_memory_desc matrix(
      Layouts layouts, long stride, long rows, long columns, boolean transposed) {
    final long down = transposed ? 1 : columns;
    final long right = transposed ? rows : 1;
    if (geometry.batch() == 1) {
      return layouts.strided(new long[] {rows, columns}, down, right);
    }
    final long batch = stride == 0 ? 1 : geometry.batch();
    return layouts.strided(new long[] {batch, rows, columns}, rows * columns, down, right);
  }
}
