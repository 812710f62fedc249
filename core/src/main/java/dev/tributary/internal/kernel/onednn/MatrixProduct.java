package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_BIAS;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_WEIGHTS;
import static org.bytedeco.dnnl.global.dnnl.dnnl_data_type_undef;
import static org.bytedeco.dnnl.global.dnnl.dnnl_matmul_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_append_sum;

import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.kernel.GemmGeometry;
import org.bytedeco.dnnl.dnnl_memory_desc;

/** Batches of matrix products, or one with an epilogue; those that accumulate have none. */
record MatrixProduct(GemmGeometry geometry, Epilogue epilogue) implements ProgramCache.Recipe {
  /** Up to here {@code dnnl_sgemm} does not copy b before it multiplies. */
  private static final long FEW_ROWS = 512;

  /** From here on rows of b of 2^n elements get in each other's way in the caches. */
  private static final long ALIASING_ROW = 256;

  /**
   * From here on the primitive is not to be trusted: 512 x 512 x 512 took 1.6 ms in some processes
   * and 3.5 ms, as on one thread, in others, where sgemm always took 2.0 to 2.3 ms.
   */
  private static final long LARGE = 1L << 27;

  /** Returns whether oneDNN's notion of a batch covers these strides. */
  static boolean covers(GemmGeometry g) {
    return (g.strideA() == 0 || g.strideA() == g.m() * g.k())
        && (g.strideB() == 0 || g.strideB() == g.k() * g.n());
  }

  /**
   * Returns whether a single product is faster this way than through {@code dnnl_sgemm}, which
   * loses a third of its speed where it reads an aliasing b in place. Measured on 2 threads of an
   * AMD EPYC with AVX2, oneDNN 3.11, 2026-11-15; docs/design/0009-native-threads.md has the
   * figures.
   */
  static boolean isFastest(GemmGeometry g) {
    return !g.transposeB()
        && g.m() <= FEW_ROWS
        && g.n() >= ALIASING_ROW
        && Long.bitCount(g.n()) == 1
        && g.m() * g.n() * g.k() < LARGE;
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
          describe(
              (result, attributes) ->
                  dnnl_matmul_primitive_desc_create(
                      result,
                      Library.ENGINE,
                      a,
                      b,
                      epilogue.bias() ? bias : null,
                      c,
                      attributes))) {
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
        if (isRectified()) {
          Rectifier.append(program, result, result);
        }
        return program;
      }
    }
  }

  private boolean isRectified() {
    return epilogue.activation() == Activation.RELU;
  }

  private Description describe(Description.Creation creation) {
    return geometry.accumulate()
        ? Description.fast(
            creation, sum -> dnnl_post_ops_append_sum(sum, 1f, 0, dnnl_data_type_undef))
        : Description.fast(creation, isRectified() ? Activation.NONE : epilogue.activation());
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
